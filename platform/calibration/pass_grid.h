#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "platform/calibration/logged_past.h"

namespace muster {

/// Starts that fall on a grid of time, as those of a scheduler whose passes are evenly apart.
struct pass_grid {
  std::optional<double> interval{};  ///< seconds between passes; nothing: starts fall on no grid
  double share = 0.0;                ///< of the starts that lie within a second of the grid
  std::size_t starts = 0;            ///< different moments that were looked at
  bool of_all_times = false;         ///< whether arrivals lie on the same grid, as the log's clock does
};

/// Looks for the widest grid of whole seconds, up to an hour, on which starts of jobs that have waited fall.
pass_grid find_grid(const logged_past& past);

}  // namespace muster
