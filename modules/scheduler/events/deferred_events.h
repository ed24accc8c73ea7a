#pragma once

#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/scheduler/events/scheduler_event.h"
#include "muster/policies/algorithms/index_pool.h"

namespace muster {

/// Events that are delivered at a later instant, or at the present one after the event being processed.
class deferred_events : private timer_observer {
 public:
  explicit deferred_events(timekeeper& time) : time_(time) {}

  /// Lets an event happen later.
  /// @param at not before the timekeeper's now; beyond the range of the clock it is a SystemC error
  /// @param rank the event's place among the timers of that instant, see timer_rank
  /// @return number for cancel()
  std::uint32_t defer(ticks at, std::uint64_t rank, event_observer& to, scheduler_event kind,
                      tlm::tlm_generic_payload& transaction);
  /// Lets an event happen later, with the next timekeeper::travel_rank(): behind all events deferred to that instant
  /// before.
  void defer(ticks at, event_observer& to, scheduler_event kind, tlm::tlm_generic_payload& transaction) {
    defer(at, time_.travel_rank(), to, kind, transaction);
  }
  void cancel(std::uint32_t number);

 private:
  struct entry {
    event_observer* to = nullptr;
    tlm::tlm_generic_payload* transaction = nullptr;
    timekeeper::timer timer = 0;
    scheduler_event kind{};
  };
  void expired(ticks now, std::uint32_t number) override;

  timekeeper& time_;
  index_pool<entry> waiting_;
};

}  // namespace muster
