#include "muster/modules/network/sharing/shared_edges.h"

namespace muster {

shared_edges::shared_edges(timekeeper& time, const std::vector<double>& capacities)
    : time_(time), timer_(time.add_recurring(timer_rank::rates, *this, 0)), rates_(capacities) {}

shared_edges::flow shared_edges::add(const std::vector<use>& uses, double cap, rate_observer& observer,
                                     std::uint32_t cookie) {
  const flow added = rates_.add(uses, cap);
  if (added >= owners_.size()) owners_.resize(added + 1);
  owners_[added] = {&observer, cookie};
  work_out();
  return added;
}

void shared_edges::remove(flow f) {
  rates_.remove(f);
  work_out();
}

void shared_edges::set_cap(flow f, double cap) {
  rates_.set_cap(f, cap);
  work_out();
}

void shared_edges::expired(ticks now, std::uint32_t) {
  for (const flow f : rates_.update()) owners_[f].observer->rate_changes(now, owners_[f].cookie, rates_.rate(f));
}

}  // namespace muster
