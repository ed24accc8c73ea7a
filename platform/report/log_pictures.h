#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "platform/metrics/replication_pictures.h"
#include "platform/model/scenario.h"

namespace muster {

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
