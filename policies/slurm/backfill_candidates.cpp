#include "muster/policies/slurm/backfill_candidates.h"

#include <algorithm>

namespace muster {

void backfill_candidates::clear() {
  for (const class_id type : left_) of_class_[type].all.clear();
  left_.clear();
}

void backfill_candidates::add(const slurm_job& j, std::size_t place) {
  list& own = of_class_[j.of->type];
  if (own.all.empty()) {
    own.next = 0;
    left_.push_back(j.of->type);
  }
  own.all.push_back({place, j.limit});
}

void backfill_candidates::close() {
  for (const class_id type : left_) {
    auto& all = of_class_[type].all;
    for (std::size_t n = all.size() - 1; n-- > 0;) all[n].limit = std::min(all[n].limit, all[n + 1].limit);
  }
}

// A class for which there is no room gets none in the rest of the pass: reservations are added, jobs start, and the
// shortest limit of those that are left grows.
bool backfill_candidates::any_may_start(std::size_t place, backfill_plan& plan) {
  while (!left_.empty()) {
    list& own = of_class_[left_.back()];
    while (own.next < own.all.size() && own.all[own.next].place < place) ++own.next;
    if (own.next < own.all.size()) {
      open_ = plan.open_until(own.all[own.next].limit);
      open_ &= nodes_.usable(left_.back());
      if (search_.has_room(left_.back(), open_)) return true;
    }
    own.all.clear();
    left_.pop_back();
  }
  return false;
}

}  // namespace muster
