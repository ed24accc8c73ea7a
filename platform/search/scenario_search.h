#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "platform/model/metric_of_class.h"
#include "platform/model/scenario.h"
#include "platform/search/candidate_runner.h"
#include "platform/search/crossover.h"
#include "platform/search/exploration.h"
#include "platform/search/narrowing.h"
#include "platform/search/search_interrupted.h"
#include "platform/search/trial_store.h"

namespace muster {

/// What a search over one parameter goes by.
struct search_goal : metric_of_class, trial_means {};

/// What `tune` seeks.
struct tuning_goal : search_goal {
  narrowing_terms terms{};
};

/// What `crossover` seeks.
struct crossover_goal : search_goal {
  std::array<std::string, 2> policies{};  ///< as reasons name them
  crossover_terms terms{};
};

/// What `tune` seeks over several keys, for several objectives, or under constraints.
struct exploration_goal : trial_means {
  std::vector<metric_of_class> metrics;  ///< the numbers of a replication
  exploration_terms terms{};
};

/// @name Searches over the values of parameters of a scenario
/// Trials are replications of the scenario with a value of the parameter. They run in worker processes, all with the
/// scenario's seed; the numbers do not depend on the workers.
///
/// Left out, with the reason: values that the scenario does not take, those that are known to be unstable, those that
/// end in a fault or without a value of the metric, and those at which a class starves: none of its jobs leaves, or a
/// tenth of as many as leave are still there at the end, over all replications of the value. Of two policies, a value
/// is left out of both if it is of one, and the reason begins with the policy's name.
///
/// Meanwhile, SIGINT and SIGTERM end the search and not the process.
/// @throws results_error if the scenario does not measure the metric, or no value can be measured; simulation_fault if
///   that is by a fault; search_interrupted; std::invalid_argument as narrow(), explore() and find_crossings() do
/// @{

/// Seeks the best value.
/// @param scenario_of the scenario with a value of the parameter; may throw scenario_error
/// @param told after each look, with what there is so far
narrowing_result tune(const search_range& range, const tuning_goal& goal,
                      const std::function<scenario(double value)>& scenario_of,
                      const std::function<void(const narrowing_result&)>& told);

/// Seeks the best combination of values of several parameters.
/// @param axes of the parameters
/// @param scenario_of the scenario with a value of each parameter; may throw scenario_error
/// @param told after each round, with what there is so far
exploration_result explore(const std::vector<grid_axis>& axes, const exploration_goal& goal,
                           const std::function<scenario(const std::vector<double>& values)>& scenario_of,
                           const std::function<void(const exploration_result&)>& told);

/// Seeks the values at which the policy with less of the metric changes.
/// @param scenario_of the same under the first policy (variant 0) or the second (1)
crossover_result crossover(const search_range& range, const crossover_goal& goal,
                           const std::function<scenario(double value, std::size_t variant)>& scenario_of,
                           const std::function<void(const crossover_result&)>& told);
/// @}

}  // namespace muster
