#pragma once

#include <string>
#include <vector>

#include "platform/search/scenario_search.h"
#include "platform/tables/table_document.h"

namespace muster {

/// @name Text of `muster crossover`
/// @{
/// The first lines: what is sought.
std::string crossover_heading(const crossover_request& request);
/// A line for each look.
std::string crossover_progress(const crossover_request& request, const crossover_result& so_far);
/// What was found at a point: values, sentences, and at the end a line `crossover: ..` for each crossing, or one with
/// `crossover: none: REASON`.
table_document crossover_text(const crossover_request& request, const crossover_result& result);
/// @}

/// Why there is no crossing.
std::string why_no_crossover(const crossover_request& request, const crossover_result& result);

/// A number without an exponent, as finely as makes sense.
/// @param resolution two digits of it are shown; 0: six digits of the number
std::string plain_decimal(double number, double resolution);

/// The table of crossover.csv and of `--format csv`: scenario, point, the sweep's keys, key, class,
/// metric, first, second (the policies), value, ci_low, ci_high, better_below, better_above (first or second; of a
/// metric of which neither less nor more is better: that with less), half_width (share of the range), precise (yes or
/// no), replications, reason (why there is none; all from `value` on is empty then).
data_table crossing_table(const crossover_request& request, const crossover_result& result);

/// A table of crossover_points.csv: what was tried in the scan, or where crossings were narrowed down. Columns:
/// scenario, point, the sweep's keys, key, value, class, metric, stage, replications, first, second (estimates),
/// difference, difference_ci_low, difference_ci_high (first minus second, paired, 95 %), better (first, second,
/// undecided, excluded; in the scan corrected for the number of values and looks), reason.
/// @param stage scan or narrowing
data_table points_table(const crossover_request& request, const std::vector<paired_point>& points, const char* stage);

}  // namespace muster
