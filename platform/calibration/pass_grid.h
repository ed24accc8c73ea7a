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

/// Looks for the widest interval of whole seconds, up to an hour, of which the times between starts that backfilling
/// has made are multiples: starts that pass over a job that arrived before, and that neither an arrival nor a
/// completion of the seconds before has asked for. Unlike find_grid() it takes passes that begin anew where no job
/// waits.
/// @return with the number of these times as `starts`
pass_grid find_backfill_passes(const logged_past& past);

/// The time for which freed cores stay in use after the end of a job, as a scheduler tells that starts jobs at passes:
/// cores that are free in time for a pass are given away at it, others at the next one.
struct time_before_pass {
  double value = 0.0;            ///< the least that is told, in seconds
  double low = 0.0, high = 0.0;  ///< the longest after which cores were late, the shortest after which they were not
};

/// @param delays from completions to starts, in seconds, at least one @param interval between passes
time_before_pass find_time_before_pass(const std::vector<double>& delays, double interval);

}  // namespace muster
