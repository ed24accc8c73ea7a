#pragma once

#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/scheduler/events/scheduler_event.h"

namespace muster {

/// Lets scheduler_event::stream_ends happen at the present instant, behind all other events of the instant.
class stream_end final : private timer_observer {
 public:
  explicit stream_end(timekeeper& time) : time_(time) {}

  /// Sets who receives the event.
  void deliver_to(event_observer& to) { to_ = &to; }
  /// Lets the event happen. Called from outside the simulation, when nothing is left to happen.
  void announce() { time_.arm(time_.now(), timer_rank::observation, *this, 0); }

 private:
  void expired(ticks, std::uint32_t) override { to_->happens(scheduler_event::stream_ends, nullptr); }

  timekeeper& time_;
  event_observer* to_ = nullptr;
};

}  // namespace muster
