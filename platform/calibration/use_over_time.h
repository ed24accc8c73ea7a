#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "platform/calibration/paired_jobs.h"
#include "platform/model/scenario.h"

namespace muster {

/// What jobs hold, and how many wait, in the log and in the replay.
struct use_of_days {
  std::size_t day = 0;  ///< the first of them, counted from 0 at time 0
  /// Cores that jobs hold, on average over time.
  double logged_cores = 0.0, replayed_cores = 0.0;
  /// Jobs that wait, on average over time.
  double logged_waiting = 0.0, replayed_waiting = 0.0;
  std::uint64_t logged_starts = 0, replayed_starts = 0;
};

/// The use of the cluster over time, day by day.
struct use_over_time {
  std::uint64_t days = 1;         ///< in a row; 1, but for logs of decades
  std::uint64_t cores = 0;        ///< of the platform
  std::vector<use_of_days> rows;  ///< from time 0 to the last end
};

/// Adds up what the jobs of the log, and those of the replay, hold. A job that is preempted in the replay counts from
/// its first start on.
use_over_time use_of(const scenario& point, const paired_jobs& pairs);

}  // namespace muster
