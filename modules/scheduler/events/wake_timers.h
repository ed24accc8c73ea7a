#pragma once

#include <cstdint>
#include <queue>

#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/scheduler/events/scheduler_event.h"

namespace muster {

/// The timers that the policy has requested with decisions::wake_at().
class wake_timers final : private timer_observer {
 public:
  explicit wake_timers(timekeeper& time) : time_(time) {}

  /// Sets who receives scheduler_event::policy_wakes, once for each timer that expires.
  void deliver_to(event_observer& to) { to_ = &to; }
  /// Sets a timer. @param at a time that has passed is a fault; one beyond the range of the clock is a SystemC error
  void set(ticks at, std::uint32_t cookie);
  /// The cookie of the timer whose event is being processed; events come in the order in which timers expire. Too many
  /// timers at one instant are a fault.
  std::uint32_t take();

 private:
  void expired(ticks now, std::uint32_t cookie) override;

  timekeeper& time_;
  event_observer* to_ = nullptr;
  std::queue<std::uint32_t> due_;  // cookies of timers that have expired, and whose events wait to be processed
  std::uint64_t count_ = 0;        // timers set so far
  ticks latest_ = 0;               // instant at which a timer expired last
  std::uint64_t at_latest_ = 0;    // timers that have expired at that instant
};

}  // namespace muster
