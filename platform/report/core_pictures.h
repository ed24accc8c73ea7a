#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "platform/metrics/replication_pictures.h"
#include "platform/model/scenario.h"

namespace muster {

/// A part of a slice as it is drawn: neighbouring rows, or a part of a device's row.
struct row_block {
  std::size_t slice;  ///< in core_window::slices
  std::uint32_t first, count;
  /// @name Of a device that is held in part: its part of the row, in thousandths
  /// @{
  std::uint16_t below = 0, height = 1000;
  /// @}
};

/// The rows of the cluster's devices, behind those of all servers.
struct cluster_rows {
  std::uint64_t server = 0;  ///< by which slices name the cluster: the number of all servers
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// Gives each slice as many rows as it has cores, among those of its server: the first free ones that are neighbours,
/// else the first free ones. So a job's cores lie together as far as that is possible; which of its server's cores a
/// row is may change over time. No row has two slices at once.
/// Behind its cores a server has a row for each of its devices, and so has the cluster; jobs that share one share the
/// row's height.
/// @param cores of each server that is shown
/// @param devices of each of them; empty: they have none
/// @return by growing begin of the slices
std::vector<row_block> rows_of(const core_window& window, const std::vector<std::uint32_t>& cores,
                               const std::vector<std::uint32_t>& devices = {}, const cluster_rows& of_cluster = {});
/// The rows of the cluster's devices.
cluster_rows rows_of_cluster(const scenario& model);
/// The number of devices of a server of each entry of platform.servers, beside its cores.
std::vector<std::uint32_t> devices_of_entries(const scenario& model);

/// Shares of busy cores as the page has them: `begin`; `lasts`, the duration of each bin; `each`, how many servers
/// share a row; `rows`, a text for each row with a letter for each bin, whose place among A-Z, a-z, 0-9, + and / is the
/// share in 63rds.
/// @param most_cells as many letters: rows and bins are joined by two until they fit
/// @{
nlohmann::ordered_json server_data(const std::vector<time_bin>& bins, const scenario& model, std::size_t most_cells);
nlohmann::ordered_json server_data(const std::vector<server_bin>& bins, const scenario& model, std::size_t most_cells);
/// @}

/// Entries of platform.servers: name, number of servers, cores of each, and where it has devices their names.
nlohmann::ordered_json server_entries(const scenario& model);

/// Whether a point has the jobs of a log, so that its pictures are those of the whole log.
bool is_of_log(const scenario& model);

/// The window of a log with its slices unpacked, times to the second.
struct window_of_log {
  core_window window;                  ///< in which the unpacked slices are the last ones, without names of classes
  std::vector<std::uint32_t> types{};  ///< of the unpacked slices: places of their classes in scenario::classes
};
window_of_log unpacked_window(const core_window& stored, const scenario& model);

/// @name What the page has of a log; null where a point has other arrivals
/// @{
/// Means over its time: `begin`; `step`, the duration of each but the last; `end`; `used`, the cores in use; `wanted`,
/// those that waiting jobs need. @param points that share the page
nlohmann::ordered_json queue_data(const std::vector<queue_bin>& all, std::size_t points);
/// A row for each slowdown_cell: largest need, end of the run times in s or null, number of jobs, mean slowdown.
nlohmann::ordered_json slowdown_data(const std::vector<slowdown_cell>& all);
/// How its time is told: `seconds` in a unit of time; `start`, time 0 in seconds since 1970 UTC, or null.
nlohmann::ordered_json clock_data(const scenario& model);
/// @}

}  // namespace muster
