#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "platform/calibration/logged_past.h"
#include "platform/calibration/replayed_log.h"
#include "platform/model/scenario.h"

namespace muster {

/// A job in the log and in a replay. All times are in ticks of the scenario's clock; 0 is that of the scenario.
struct paired_job {
  std::uint32_t line = 0;        ///< of the log
  std::uint32_t job_class = 0;   ///< place in scenario::classes
  std::uint32_t cores = 0;       ///< that it needs in the replay
  std::uint32_t user = 0;        ///< place in arrival_spec::users, or job_facts::no_user
  std::int64_t arrival = 0;      ///< in the log
  std::int64_t logged_wait = 0;  ///< from its arrival to its start, in the log
  std::int64_t logged_end = 0;
  std::int64_t wait = 0;            ///< from its arrival to its start, in the replay
  std::int64_t start = 0, end = 0;  ///< in the replay

  std::int64_t logged_start() const { return arrival + logged_wait; }
  /// How much later it starts in the replay; < 0: earlier.
  std::int64_t later() const { return start - logged_start(); }
};

/// The jobs that have a start in the log and in the replay.
struct paired_jobs {
  std::vector<paired_job> jobs;   ///< by arrival in the log
  std::size_t without_start = 0;  ///< jobs of the replay whose start the log does not tell
  std::size_t not_ended = 0;      ///< jobs of the replay that did not come to their end
};

/// Pairs the jobs of a replay with those of the log.
/// @param replayed by their places in the jobs of the point
paired_jobs pair_jobs(const scenario& point, const logged_past& past, const std::vector<replayed_job>& replayed);

}  // namespace muster
