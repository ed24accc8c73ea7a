#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "platform/calibration/first_difference.h"
#include "platform/calibration/logged_past.h"
#include "platform/calibration/paired_jobs.h"
#include "platform/calibration/replay_error.h"
#include "platform/calibration/use_over_time.h"
#include "platform/model/study.h"

namespace muster {

/// The replay at a point of a study, held against the log.
struct replay_comparison {
  std::size_t point = 0;
  paired_jobs pairs;
  replay_error error;
  use_over_time use;
  /// The first starts that differ by more than a second, and by more than a minute; nothing: none does.
  std::optional<first_difference> by_second{}, by_minute{};

  const class_error& all() const { return error.classes.front(); }
};

/// Holds the replays of all points of a study against its log.
/// @param replays of each point its jobs
/// @throws results_error if a replay has no job whose start the log tells
std::vector<replay_comparison> compare_replays(const study& s, const logged_past& past,
                                               const std::vector<std::vector<replayed_job>>& replays);

/// The place of the replay whose starts are the least apart from those of the log, on average.
std::size_t nearest_replay(const std::vector<replay_comparison>& all);

}  // namespace muster
