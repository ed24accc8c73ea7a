#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/calibration/logged_past.h"
#include "platform/calibration/paired_jobs.h"
#include "platform/calibration/replay_error.h"
#include "platform/model/scenario.h"
#include "platform/model/study.h"

namespace muster {

/// The first start that differs between log and replay, and the state of both at that moment.
struct first_difference {
  /// A job that holds cores at that moment.
  struct holder {
    paired_job job;
    bool in_log = false, in_replay = false;
  };

  paired_job job;
  std::int64_t at = 0;                               ///< the earlier one of its two starts
  bool in_log = false;                               ///< whether that is the one in the log
  std::uint64_t total = 0;                           ///< cores of the platform
  std::int64_t free_in_log = 0, free_in_replay = 0;  ///< cores that others leave; < 0: the platform has too few
  std::vector<holder> holders;                       ///< by cores, the most first
  std::size_t waiting = 0;                           ///< jobs that arrived before it and wait where it waits, too
  std::optional<paired_job> first_waiting{};         ///< the first of them
};

/// The first start that differs by more than a time in seconds; nothing: none does.
std::optional<first_difference> find_first_difference(const scenario& point, const paired_jobs& pairs, double apart);

/// Why it differs, as far as cores and order tell, in sentences.
std::vector<std::string> reasons_of(const scenario& point, const first_difference& difference);

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
