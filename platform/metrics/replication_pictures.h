#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/metrics/quantile_sketch.h"
#include "platform/model/time_unit.h"

namespace muster {

/// The response times of the completed jobs of a class, inside the window of measurement.
struct class_responses {
  std::string class_name;
  coarse_sketch times;  ///< response times, in ticks
};

/// The shares of the core time of each row of servers (see joined_servers) that jobs held for a while, in thousandths.
using server_shares = std::vector<std::uint16_t>;

/// Means over a part of the window of measurement. Times are in units since the start.
struct time_bin {
  double begin = 0.0, end = 0.0;
  double utilization = 0.0, overhead_share = 0.0;  ///< as shares of the cores
  std::vector<double> jobs;                        ///< jobs in the system, by class as in the scenario
  server_shares servers;
};

/// A device of a server, beside its cores, or of the cluster as a whole, that a job holds.
struct held_device {
  std::uint32_t number = 0;    ///< counted through the devices there, in the order of the resources
  std::uint16_t share = 1000;  ///< what the job holds of the device, in thousandths, at least 1
};

/// Cores of one server that a job holds, and devices; or devices of the cluster as a whole, without cores. Times are in
/// units since the start.
struct core_slice {
  std::uint64_t server = 0;  ///< counted through platform.servers; of the cluster their number
  std::string class_name;
  std::uint64_t job = 0;
  std::string cores;        ///< such as "0-3,7", counted within the server
  std::uint32_t count = 0;  ///< number of the cores
  double begun = 0.0;       ///< beginning of the slice, which has overhead until `works`, and from `saves` on
  std::optional<double> works, saves;
  std::optional<double> ended;  ///< end of the slice; none: after the window
  std::vector<held_device> devices;
};

/// Shares of busy cores in a part of a core_window.
struct server_bin {
  double begin = 0.0, end = 0.0;  ///< units of time since the start
  server_shares servers;
};

/// The slices and shares of servers for a while from the beginning of the measurement on. The shares of a log are those
/// of its whole time, also where there are no slices any more.
struct core_window {
  double begin = 0.0, end = 0.0;   ///< beginning and end of the slices, in units of time since the start
  std::uint64_t servers = 0;       ///< number of first servers whose slices are recorded; 0: too many cores
  std::vector<core_slice> slices;  ///< slices of those servers, and what jobs hold of the cluster
  std::string packed{};            ///< of a log in their place, see packed_slices.h
  std::vector<server_bin> bins{};  ///< shares of all servers; empty: nothing is recorded
};

/// Means over a part of the time of a log.
struct queue_bin {
  double begin = 0.0, end = 0.0;  ///< units of time since the start
  double used = 0.0;              ///< cores that jobs hold
  double wanted = 0.0;            ///< cores that the jobs which wait need
};

/// The completed jobs of a log whose needs and run times lie in a range.
struct slowdown_cell {
  std::uint32_t cores = 1;            ///< largest need, a power of two; half of it is below the range, but for 1
  std::optional<double> run_below{};  ///< s, see slowdown_cell::run_limits; none: from the last of them on
  std::uint64_t jobs = 0;
  double slowdown = 0.0;  ///< mean bounded slowdown of these jobs

  /// The ends of the ranges of run times, in s; the last range has no end.
  static constexpr double run_limits[] = {60.0, 600.0, 3600.0, 21'600.0, 86'400.0};
};

/// A job that waited long. Times are in units since the start.
struct long_wait {
  std::string class_name;
  std::uint64_t job = 0;
  double arrival = 0.0;
  double wait = 0.0;     ///< time in which it held nothing
  double until = 0.0;    ///< end of the time of `running`, which begins with the arrival
  bool has_left = true;  ///< false: the job waits, or is in service, at the end of the window
  /// The mean shares of all cores, without those that ran the job itself, that ran jobs of each class until then.
  std::vector<double> running;
};

/// The number of a study's first points whose replications a page draws. No data are kept to draw others.
constexpr std::size_t most_drawn_points = 250;

/// The data of a replication that a page draws beside its measurements; empty where the point is not drawn.
struct replication_pictures {
  std::vector<class_responses> responses;  ///< response times by class, as in the scenario
  /// @name Of the first replication
  /// @{
  std::vector<time_bin> bins;
  core_window cores;
  std::vector<long_wait> waits;            ///< the longest waits, the longest first
  std::vector<queue_bin> queue{};          ///< of a log; empty: other arrivals
  std::vector<slowdown_cell> slowdowns{};  ///< of a log, those with jobs, by cores and run time
  /// @}
};

/// The shares of the jobs for which quantiles of the response time are kept, in growing order.
const std::vector<double>& quantile_shares();

/// The distribution of the response times of a class.
struct class_quantiles {
  std::string class_name;     ///< "all": all classes together
  std::vector<double> times;  ///< in units of time, at the first of the shares: as long as some job took longer
};

/// The distributions of all classes together and of each class that has completions.
/// @param responses response times of all replications together
std::vector<class_quantiles> quantiles_of(const std::vector<class_responses>& responses, const time_unit& unit);

}  // namespace muster
