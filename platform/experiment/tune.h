#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "platform/experiment/narrowing.h"
#include "platform/model/scenario.h"

namespace muster {

/// What `tune` seeks.
struct tuning_goal {
  std::string metric;
  std::string class_name = "all";
  narrowing_terms terms{};
  std::size_t workers = 1;
};

/// Seeks the best value of a parameter of a scenario. Candidates are simulated, and left out, as scenario_trials says.
///
/// @param scenario_of the scenario with a value of the parameter
/// @param told after each look, with what there is so far
/// @throws results_error if the scenario does not measure the metric, or no value can be measured; search_interrupted;
///   std::invalid_argument as narrow() does
narrowing_result tune(const search_range& range, const tuning_goal& goal,
                      const std::function<scenario(double)>& scenario_of,
                      const std::function<void(const narrowing_result&)>& told);

}  // namespace muster
