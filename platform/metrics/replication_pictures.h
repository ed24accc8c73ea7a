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

/// How busy the servers were for a while: of each row of servers (see joined_servers) the share of its core time that
/// jobs held, in thousandths.
using server_shares = std::vector<std::uint16_t>;

/// Means over a part of the window of measurement. Times are in units since the start.
struct time_bin {
  double begin = 0.0, end = 0.0;
  double utilization = 0.0, overhead_share = 0.0;  ///< shares of the cores
  std::vector<double> jobs;                        ///< in the system, by class as in the scenario
  server_shares servers;
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

/// Shares of busy cores in a part of a core_window.
struct server_bin {
  double begin = 0.0, end = 0.0;  ///< units of time since the start
  server_shares servers;
};

/// What the servers do from the beginning of the measurement on, for a while.
struct core_window {
  double begin = 0.0, end = 0.0;   ///< units of time since the start
  std::uint64_t servers = 0;       ///< the first ones, whose slices are recorded; 0: they have too many cores
  std::vector<core_slice> slices;  ///< of those servers
  std::vector<server_bin> bins;    ///< of all servers; empty: nothing is recorded
};

/// A job that waited long. Times are in units since the start.
struct long_wait {
  std::string class_name;
  std::uint64_t job = 0;
  double arrival = 0.0;
  double wait = 0.0;     ///< time in which it held nothing
  double until = 0.0;    ///< end of the time that `running` is of, which begins with its arrival
  bool has_left = true;  ///< else it waits at the end of the window
  /// Until then: mean share of all cores, those aside on which the job ran itself, that ran jobs of each class of the
  /// scenario.
  std::vector<double> running;
};

/// What a page draws of a replication, beside its measurements.
struct replication_pictures {
  std::vector<class_responses> responses;  ///< as in the scenario
  /// @name Of the first replication
  /// @{
  std::vector<time_bin> bins;
  core_window cores;
  std::vector<long_wait> waits;  ///< the longest, the longest first
  /// @}
};

}  // namespace muster
