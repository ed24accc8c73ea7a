#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "platform/command_line/printed_output.h"
#include "platform/model/scenario.h"
#include "platform/search/scenario_search.h"

namespace muster {

/// What `muster tune` was asked over several keys, for several objectives, or under constraints.
struct exploration_question {
  const study& what;              ///< whatever values the parameters have in it
  std::vector<std::string> keys;  ///< of the parameters
  std::vector<grid_axis> axes;
  exploration_goal goal;
};

/// @name Text of `muster tune`
/// @{
/// What is sought.
std::string exploration_heading(const exploration_question& asked);
/// A line for each round.
std::string exploration_progress(const exploration_question& asked, const exploration_result& so_far);
/// The best combination of a point (`best: KEY = VALUE` for each key), or the front (`front: KEY = VALUE, ..` for each
/// combination); those that cannot be told apart from it, how sure that is, and what share of the variance each key
/// explains.
printed_output exploration_text(const exploration_question& asked, std::size_t point, const exploration_result& found);
/// @}

/// @name tune.csv
/// The columns of tune.csv over one key (see tuning_csv_header()), in which `key` and `value` have all keys and values,
/// parted by a semicolon; a row for each metric of a combination. Verdicts: best, front, not_worse, undecided, worse,
/// violating, excluded. Further columns: constraint (met, violated, undecided; empty: the metric has no bound), and the
/// value of each key.
/// @{
std::string exploration_csv_header(const exploration_question& asked);
std::string exploration_csv_rows(const exploration_question& asked, std::size_t point, const exploration_result& found);
/// @}

/// @name key_effects.csv
/// scenario, point, the sweep's keys, key, class, metric, share_of_variance, ci_low, ci_high: see shares_of_variance().
/// @{
std::string key_effects_csv_header(const study& s);
std::string key_effects_csv_rows(const exploration_question& asked, std::size_t point, const exploration_result& found);
/// @}

}  // namespace muster
