#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/log/log_format.h"
#include "platform/model/study.h"

namespace muster {

/// A job of a log as it really ran. Times are in seconds, moments since the log's first arrival.
struct logged_job {
  std::uint32_t line = 0;  ///< of the log, from 1
  std::uint32_t cores = 0;
  std::uint32_t user = job_facts::no_user;  ///< number within the log
  double submit = 0.0, run = 0.0;
  double requested = 0.0;          ///< the longest time that its user has asked for; 0: not known
  std::optional<double> waited{};  ///< from its arrival to its start; nothing: the log does not tell it

  double start() const { return submit + waited.value_or(0.0); }
  double end() const { return start() + run; }
};

/// What a log tells of what happened: all its jobs that ran, those included that a scenario leaves out.
struct logged_past {
  std::string path;
  const log_format_entry* format = nullptr;
  std::vector<logged_job> jobs;  ///< by arrival, then by line; at least one

  /// How many jobs tell their start: at least one.
  std::size_t with_start() const;
  /// The latest end of the jobs that tell their start.
  double last_end() const;
};

/// A study without the jobs that wait or run at time 0 (`[initial]`): they are of another moment than its log, which
/// began without them. The same study if it has none.
/// @param file of the scenario, beside which the files that it names lie
study without_initial_jobs(study s, const std::string& file);

/// Reads the log or list of a study once more, for what its scenarios leave out: starts, and jobs that do not fit.
/// @param s without jobs at time 0
/// @throws results_error if the study has no log or list, changes it from point to point or stretches its times, if the
///   jobs of the list are not rigid, or if no start is told
logged_past read_past(const study& s);

}  // namespace muster
