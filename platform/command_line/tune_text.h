#pragma once

#include <cstddef>
#include <string>

#include "platform/command_line/printed_output.h"
#include "platform/model/scenario.h"
#include "platform/search/scenario_search.h"

namespace muster {

/// What `muster tune` was asked.
struct tuning_question {
  const study& what;  ///< whatever value the parameter has in it
  std::string key;    ///< of the parameter
  search_range range;
  tuning_goal goal;
};

/// @name Text of `muster tune`
/// @{
/// What is sought.
std::string tuning_heading(const tuning_question& asked);
/// A line for each look at the candidates.
std::string tuning_progress(const tuning_question& asked, const narrowing_result& so_far);
/// The best value of a point, those that cannot be told apart from it, and all that were tried.
printed_output tuning_text(const tuning_question& asked, std::size_t point, const narrowing_result& found);
/// @}

/// @name tune.csv
/// scenario, point, the sweep's keys, key, value, class, metric, replications, estimate, ci_low, ci_high, difference,
/// difference_ci_low, difference_ci_high (to the best, 95 %), verdict (best, not_worse, worse, no_effect,
/// excluded), reason.
/// @{
std::string tuning_csv_header(const study& s);
std::string tuning_csv_rows(const tuning_question& asked, std::size_t point, const narrowing_result& found);
/// @}

}  // namespace muster
