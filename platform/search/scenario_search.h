#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "platform/model/metric_of_class.h"
#include "platform/model/scenario.h"
#include "platform/search/best_search.h"
#include "platform/search/crossover.h"
#include "platform/search/scenario_trials.h"
#include "platform/search/search_interrupted.h"

namespace muster {

/// What `tune` seeks: the best combination of values of a space.
struct search_request : trial_means {
  const study* subject = nullptr;  ///< whatever values the keys have in it
  search_space space;
  std::vector<metric_of_class> metrics;  ///< the numbers of a replication
  search_terms terms{};

  search_request(const study& s, search_space all, std::vector<metric_of_class> measured)
      : subject(&s), space(std::move(all)), metrics(std::move(measured)) {}
};

/// What `crossover` seeks: the values of a key at which the better of two policies changes.
struct crossover_request : trial_means {
  const study* subject = nullptr;  ///< whatever value the key has in it
  search_space space;              ///< of one axis
  metric_of_class metric;
  std::array<std::string, 2> policies;  ///< as reasons name them
  crossover_terms terms{};

  crossover_request(const study& s, search_axis axis, metric_of_class measured, std::array<std::string, 2> compared)
      : subject(&s), space({std::move(axis)}), metric(std::move(measured)), policies(std::move(compared)) {}

  const std::string& key() const { return space.axes().front().key; }
  const search_range& range() const { return space.axes().front().range; }
};

/// @name Searches over the values of keys of a scenario
/// Trials are replications of the scenario with a value of each key. They run in worker processes, or on ranks, all
/// with the scenario's seed; the numbers do not depend on the workers. Replications that a trial_store has are not run
/// again.
///
/// Left out, with the reason: values that the scenario does not take, those that are known to be unstable, those that
/// end in a fault or without a value of a metric, and those at which a class starves: none of its jobs leaves, or a
/// tenth of as many as leave are still there at the end, over all replications of the trial. Of two policies, a value
/// is left out of both if it is of one, and the reason begins with the policy's name.
///
/// Meanwhile, SIGINT and SIGTERM end the search and not the process.
/// @param make the scenario with a value of each key; of two policies, under the first (variant 0) or the second (1)
/// @param report called after each round, with what there is so far
/// @throws results_error if the scenario does not measure a metric, or no value can be measured; simulation_fault if
///   that is by a fault; search_interrupted; std::invalid_argument as seek_best() and find_crossings() do
/// @{
search_result tune(const search_request& request, const scenario_trials::scenario_maker& make,
                   const std::function<void(const search_result&)>& report);

crossover_result crossover(const crossover_request& request, const scenario_trials::scenario_maker& make,
                           const std::function<void(const crossover_result&)>& report);
/// @}

}  // namespace muster
