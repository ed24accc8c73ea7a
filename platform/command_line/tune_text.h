#pragma once

#include <cstddef>
#include <string>

#include "platform/experiment/tune.h"
#include "platform/model/scenario.h"

namespace muster {

/// @name Text of `muster tune`
/// @param s the scenario, whatever value the parameter has in it
/// @param key the parameter
/// @{
/// What is sought.
std::string tuning_heading(const study& s, const std::string& key, const search_range& range, const tuning_goal& goal);
/// A line for each look at the candidates.
std::string tuning_progress(const std::string& key, const search_range& range, const tuning_goal& goal,
                            const narrowing_result& so_far);
/// The best value of a point, those that cannot be told apart from it, and all that were tried.
std::string tuning_text(const study& s, std::size_t point, const std::string& key, const search_range& range,
                        const tuning_goal& goal, const narrowing_result& found);
/// @}

/// @name tune.csv
/// scenario, point, the sweep's keys, key, value, class, metric, replications, estimate, ci_low, ci_high, difference,
/// difference_ci_low, difference_ci_high (to the best, 95 %), verdict (best, not_worse, worse, no_effect,
/// excluded), reason.
/// @{
std::string tuning_csv_header(const study& s);
std::string tuning_csv_rows(const study& s, std::size_t point, const std::string& key, const search_range& range,
                            const tuning_goal& goal, const narrowing_result& found);
/// @}

}  // namespace muster
