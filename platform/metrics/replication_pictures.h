#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/metrics/quantile_sketch.h"

namespace muster {

/// Response times of the completed jobs of a class, inside the window of measurement.
struct class_responses {
  std::string class_name;
  coarse_sketch times;  ///< in ticks
};

/// Means over a part of the window of measurement. Times are in units since the start.
struct time_bin {
  double begin = 0.0, end = 0.0;
  double utilization = 0.0, overhead_share = 0.0;  ///< shares of the cores
  std::vector<double> jobs;                        ///< in the system, by class as in the scenario
};

/// Cores of one server that a job holds. Times are in units since the start.
struct core_slice {
  std::uint64_t server = 0;  ///< counted through platform.servers
  std::string class_name;
  std::uint64_t job = 0;
  std::string cores;        ///< such as "0-3,7", counted within the server
  std::uint32_t count = 0;  ///< of them
  double begun = 0.0;       ///< with overhead until `works`
  std::optional<double> works, saves;
  std::optional<double> ended;  ///< none: after the window
};

/// What the first servers do from the beginning of the measurement on, for a while.
struct core_window {
  double begin = 0.0, end = 0.0;  ///< units of time since the start
  std::uint64_t servers = 0;      ///< that are shown; 0: nothing is recorded
  std::vector<core_slice> slices;
};

/// What a page draws of a replication, beside its measurements.
struct replication_pictures {
  std::vector<class_responses> responses;  ///< as in the scenario
  /// @name Of the first replication
  /// @{
  std::vector<time_bin> bins;
  core_window cores;
  /// @}
};

}  // namespace muster
