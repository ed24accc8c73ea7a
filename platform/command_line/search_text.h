#pragma once

#include <string>

#include "platform/search/scenario_search.h"
#include "platform/tables/table_document.h"

namespace muster {

/// @name Text of `muster tune`
/// @{
/// The first lines: what is sought.
std::string search_heading(const search_request& request);
/// A line for each round.
std::string search_progress(const search_request& request, const search_result& so_far);
/// The best combination of a point (`best: KEY = VALUE` for each key), or the front (`front: KEY = VALUE, ..` for each
/// combination); those that cannot be told apart from it, how sure that is, and of several keys what share of the
/// variance each explains. Programs get trial_table() and key_effect_table().
table_document search_text(const search_request& request, const search_result& result);
/// @}

/// All that was tried, by its values: the table of tune.csv and of `--format csv`. Columns: scenario,
/// point, the sweep's keys, key, value (of several keys parted by a semicolon), class, metric, replications, estimate,
/// ci_low, ci_high, difference, difference_ci_low, difference_ci_high (to the best, 95 %), verdict (best, front,
/// not_worse, undecided, worse, violating, no_effect, excluded), reason, constraint (met, violated, undecided; empty:
/// the metric has no bound), and the value of each key. A trial has a row for each metric.
data_table trial_table(const search_request& request, const search_result& result);

/// The table of key_effects.csv: scenario, point, the sweep's keys, key, class, metric,
/// share_of_variance, ci_low, ci_high. See shares_of_variance().
data_table key_effect_table(const search_request& request, const search_result& result);

}  // namespace muster
