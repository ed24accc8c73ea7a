#include "muster/modules/scheduler/events/deferred_events.h"

#include "muster/modules/protocol/protocol_rules.h"

namespace muster {

std::uint32_t deferred_events::defer(ticks at, std::uint64_t rank, event_observer& to, scheduler_event kind,
                                     tlm::tlm_generic_payload& transaction) {
  if (at >= end_of_clock) time_.leave_clock("the effect of transaction " + transaction_name{transaction}.text());
  const std::uint32_t number = waiting_.take();
  waiting_[number] = {&to, &transaction, time_.arm(at, rank, *this, number), kind};
  return number;
}

void deferred_events::cancel(std::uint32_t number) {
  time_.cancel(waiting_[number].timer);
  waiting_.give_back(number);
}

void deferred_events::expired(ticks, std::uint32_t number) {
  const entry due = waiting_[number];
  waiting_.give_back(number);
  due.to->happens(due.kind, due.transaction);
}

}  // namespace muster
