#pragma once

#include <cstdint>

#include "muster/policies/job.h"
#include "muster/policies/table.h"
#include "muster/policies/utility.h"
#include "platform/metrics/duration_counts.h"

namespace muster {

/// Sums over the jobs of one class inside the window of measurement.
struct class_record {
  std::uint64_t completed = 0;
  std::uint64_t expired = 0;  ///< slotted jobs that left incomplete
  /// Of their times in the system, of those in which they held nothing, and of those from arrival to the first core.
  tick_sum response = 0, waiting = 0, to_start = 0;
  double slowdown = 0.0;                                                           ///< sum of response time / size
  tick_sum work = 0;                                                               ///< sum of the completed jobs' sizes
  std::uint64_t interruptions = 0, migrations = 0, failures = 0, preemptions = 0;  ///< of the jobs that left
  tick_sum presence = 0;     ///< integral of the number of jobs in the system over time, as of the latest settle()
  tick_sum time_inside = 0;  ///< of the jobs completed: their time in the system that falls into the window
  /// @name Of slotted jobs that have left, complete or not
  /// @{
  utility_sum utility = 0;
  /// @}
  duration_counts responses;
  duration_counts waits;   ///< waiting times of the jobs that waited at all
  ticks longest_wait = 0;  ///< of a job that completed

  /// Calls a function with each member that adds up over jobs.
  template <class Function>
  static void for_each_sum(const Function& call) {
    using r = class_record;
    for (const auto member :
         {&r::completed, &r::expired, &r::interruptions, &r::migrations, &r::failures, &r::preemptions})
      call(member);
    for (const auto member : {&r::response, &r::waiting, &r::to_start, &r::work, &r::presence, &r::time_inside})
      call(member);
    call(&r::slowdown);
    call(&r::utility);
  }

  std::uint64_t left() const { return completed + expired; }
  /// @param share in (0, 1); there must be completed jobs, and their waits
  /// @return of the waiting time, in ticks
  double waiting_quantile(double share) const;
  /// What was added since an earlier state, without quantiles and maxima.
  class_record since(const class_record& earlier) const;
};

/// All classes together.
class_record sum_of(const table<class_id, class_record>& classes);

}  // namespace muster
