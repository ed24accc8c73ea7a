#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "platform/experiment/crossing_locator.h"
#include "platform/model/scenario.h"

namespace muster {

/// What `crossover` seeks.
struct crossover_goal {
  std::string metric;
  std::string class_name = "all";
  std::array<std::string, 2> policies;  ///< as reasons name them
  crossover_terms terms{};
  std::size_t workers = 1;
};

struct crossover_result {
  scan_result scanned;
  std::vector<crossing> crossings{};     ///< by value
  std::vector<paired_point> narrowed{};  ///< by value: where the crossings were narrowed down
  std::size_t spent = 0;                 ///< replications
};

/// Seeks the values of a parameter at which the variant with less changes: scan(), then a crossing_locator for what the
/// scan has found, with the rest of the budget.
/// @param told after each look, with what there is so far
/// @throws std::invalid_argument as scan() does
crossover_result find_crossings(const search_range& range, const crossover_terms& terms, const tuned_model& model,
                                const std::function<void(const crossover_result&)>& told);

/// The same of a metric of a scenario under two policies. Trials are simulated, and values left out, as scenario_trials
/// says; a value is left out of both if it is of one.
/// @param scenario_of the scenario with a value of the parameter, under the first policy (variant 0) or the second (1)
/// @throws results_error if the scenario does not measure the metric, or no value can be measured; simulation_fault if
///   that is by a fault; search_interrupted; std::invalid_argument as scan() does
crossover_result crossover(const search_range& range, const crossover_goal& goal,
                           const std::function<scenario(double value, std::size_t variant)>& scenario_of,
                           const std::function<void(const crossover_result&)>& told);

}  // namespace muster
