#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "platform/model/scenario.h"
#include "platform/model/study.h"

namespace muster {

/// A job in a replay.
struct replayed_job {
  ticks arrival = 0, start = 0, end = 0;  ///< `start`: when it first got cores
  bool left = false;                      ///< whether it has come to its end; else nothing is known of it
};

/// Simulates a scenario with a list of jobs once, as it is, with nothing measured but when jobs start and end.
/// @return its jobs, by their places in arrival_spec::jobs
/// @throws std::runtime_error on a fault
std::vector<replayed_job> replay(const scenario& point);

/// Replays all points of a study, each in a process of its own.
/// @param workers processes at a time
/// @return of each point its jobs; nothing if SIGINT or SIGTERM has come before the end
/// @throws std::runtime_error that names the point, on a fault
std::optional<std::vector<std::vector<replayed_job>>> replay_all(const study& s, std::size_t workers);

}  // namespace muster
