#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "platform/experiment/task_runner.h"
#include "platform/model/metric_of_class.h"
#include "platform/model/study.h"
#include "platform/search/best_search.h"
#include "platform/search/crossover.h"
#include "platform/search/trial_store.h"

namespace muster {

/// The error of a search that SIGINT or SIGTERM has ended before its end.
class search_interrupted : public std::runtime_error {
 public:
  search_interrupted() : std::runtime_error("interrupted") {}
};

/// What a search goes over, and by what its trials are run.
struct searched_study {
  const study* subject = nullptr;  ///< whatever values the keys have in it
  search_space space;
  std::vector<metric_of_class> metrics;  ///< the numbers of a replication
  std::vector<std::string> policies{};   ///< that are compared at the same values, as reasons name them; empty: one
  std::size_t point = 0;                 ///< of the study, by which the store and the team part what they have
  std::size_t workers = 1;               ///< processes of this machine
  trial_store* store = nullptr;          ///< has what was found before, and gets what is found; null: none
  task_runner* team = nullptr;           ///< simulates in place of processes of this machine; null: none

  bool is_over_one_key() const { return space.axes().size() == 1; }
};

/// What `tune` seeks: the best combination of values of a space.
struct search_request : searched_study {
  search_terms terms{};

  search_request(const study& s, search_space over, std::vector<metric_of_class> measured)
      : searched_study{&s, std::move(over), std::move(measured)} {}
};

/// What `crossover` seeks: the values of a key at which the better of two policies changes.
struct crossover_request : searched_study {
  crossover_terms terms{};

  crossover_request(const study& s, search_axis axis, metric_of_class measured, std::vector<std::string> compared)
      : searched_study{&s, search_space({std::move(axis)}), {std::move(measured)}, std::move(compared)} {}

  const std::string& key() const { return space.axes().front().key; }
  const search_range& range() const { return space.axes().front().range; }
  const metric_of_class& metric() const { return metrics.front(); }
};

/// All values of a key, measured.
struct measured_values {
  std::vector<trial> trials{};               ///< in the order of the values; left out or not, nothing else is judged
  std::vector<std::string> short_windows{};  ///< a sentence for each trial whose window is too short
  bool any_fault = false;                    ///< whether a trial has ended in a fault
};

/// What a trial's replication finds, as bytes (see to_bytes()): in this process, or in one of a team that has read the
/// scenario.
/// @param name of the trial in messages
std::string simulate_trial(const std::string& name, scenario of_trial, std::uint32_t replication);

/// The scenario with a value of each key; of two policies, under the first (variant 0) or the second (1). May throw
/// scenario_error.
using scenario_maker = std::function<scenario(const search_values&, std::size_t variant)>;

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
/// @param report called after each round, with what there is so far
/// @throws results_error if the scenario does not measure a metric, or no value can be measured; simulation_fault if
///   that is by a fault; search_interrupted; std::invalid_argument as seek_best() and find_crossings() do
/// @{
search_result tune(const search_request& request, const scenario_maker& make,
                   const std::function<void(const search_result&)>& report);

crossover_result crossover(const crossover_request& request, const scenario_maker& make,
                           const std::function<void(const crossover_result&)>& report);

/// Measures each value of the only key by equally many replications; nothing is judged. Where none can be measured, all
/// are left out, and nothing is thrown.
/// @param report called when some more replications of all values are there
measured_values measure_all(const searched_study& request, std::uint32_t replications, const scenario_maker& make,
                            const std::function<void(const measured_values&)>& report);
/// @}

}  // namespace muster
