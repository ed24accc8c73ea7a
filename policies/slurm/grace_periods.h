#pragma once

#include <algorithm>
#include <map>
#include <utility>

#include "muster/policies/slurm/pass_times.h"
#include "muster/policies/slurm/slurm_job.h"

namespace muster {

/// Jobs that are to give way and run on for their GraceTime, which shortens their time limits. They are killed when
/// Slurm looks for running jobs whose limits are over: every 30 s, as was measured, in the loop that makes main passes.
class grace_periods {
 public:
  /// @param phase of main passes, which are so long after full seconds
  grace_periods(ticks second, ticks phase) : second_(second), phase_(phase) {}

  /// Shortens the limit of a running job, which is not in a period yet, to what its GraceTime leaves.
  void begin(slurm_job& j, ticks now) {
    const ticks begin = j.begin();
    j.end = std::min(j.end, now + j.terms->grace);
    j.limit = j.end - begin;
    j.killed_at = first_of_grid(phase_, 30 * second_, std::max(j.end, now + 1));
    jobs_.emplace(std::pair{j.killed_at, j.id()}, &j);
  }
  /// Forgets a job, which leaves its nodes. Of no effect if it is in no period.
  void end(slurm_job& j) {
    if (j.is_in_grace()) jobs_.erase({std::exchange(j.killed_at, end_of_clock), j.id()});
  }
  /// When the next jobs are killed; end_of_clock: none are.
  ticks next() const { return jobs_.empty() ? end_of_clock : jobs_.begin()->first.first; }
  /// A job that is to be killed by now; null: there is none.
  slurm_job* due(ticks now) const { return next() <= now ? jobs_.begin()->second : nullptr; }

 private:
  ticks second_, phase_;
  std::map<std::pair<ticks, std::uint64_t>, slurm_job*> jobs_;  // by the time when they are killed, and by id
};

}  // namespace muster
