#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "muster/policies/backfilling/reservation_plan.h"
#include "muster/policies/table.h"

namespace muster {

/// Makes reservations for jobs in turn, and no more of them than it takes to know which jobs start now: what is free
/// now becomes less with each, so that none of the others starts now once none of them fits.
///
/// None of those then fits at a later instant either until a running job is expected to end or a planned outage ends.
class reserving_in_turn {
 public:
  /// @param classes of jobs
  explicit reserving_in_turn(std::size_t classes) : too_long_(classes, end_of_clock) {}

  /// Reserves for the first jobs, as long as one of those without a reservation would fit now.
  /// @param jobs in turn, without reservations
  /// @return how many of them have had their turn
  std::size_t reserve(reservation_plan& plan, const std::vector<planned_job*>& jobs, ticks now) {
    std::fill(too_long_.begin(), too_long_.end(), end_of_clock);
    std::size_t next = 0;
    for (std::size_t fitting = 0;; fitting = std::max(fitting, next)) {
      while (fitting < jobs.size() && !fits_now(plan, *jobs[fitting])) ++fitting;
      if (fitting == jobs.size()) return next;
      for (bool still = true; still && next <= fitting; ++next) {
        plan.reserve(*jobs[next]);
        still = jobs[next]->begin >= now + jobs[fitting]->duration;  // it would have ended before
      }
    }
  }

 private:
  bool fits_now(reservation_plan& plan, const planned_job& j) {
    ticks& too_long = too_long_[j.of->type];
    if (j.duration >= too_long) return false;
    if (plan.fits_now(j)) return true;
    too_long = j.duration;
    return false;
  }

  table<class_id, ticks> too_long_;  // the shortest jobs of each class that do not fit now
};

}  // namespace muster
