#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "platform/experiment/interrupt_guard.h"
#include "platform/experiment/narrowing.h"
#include "platform/model/scenario.h"
#include "platform/simulation/replication.h"

namespace muster {

/// SIGINT or SIGTERM has ended a search before its end.
class search_interrupted : public std::runtime_error {
 public:
  search_interrupted() : std::runtime_error("interrupted") {}
};

/// Simulates the trials of a search: replications of a scenario with a value of one parameter. They run in worker
/// processes, all with the scenario's seed; the numbers do not depend on the workers.
///
/// Left out, with the reason: values that the scenario does not take, those that are known to be unstable, those that
/// end in a fault or without a value of the metric, and those at which a class starves: none of its jobs leaves, or a
/// tenth of as many as leave are still there at the end, over all replications of the value. Of several variants, a
/// value is left out of all if it is of one, and the reason begins with the variant's name.
///
/// While it lives, SIGINT and SIGTERM end the search (search_interrupted) and not the process.
class scenario_trials {
 public:
  /// @param scenario_of the scenario of a variant (trial::variant) with a value of the parameter; may throw
  ///   scenario_error
  /// @param variants their names; none: there is but one
  scenario_trials(std::string metric, std::string class_name, std::size_t workers,
                  std::function<scenario(double value, std::size_t variant)> scenario_of,
                  std::vector<std::string> variants = {})
      : metric_(std::move(metric)),
        class_name_(std::move(class_name)),
        workers_(workers),
        scenario_of_(std::move(scenario_of)),
        variants_(std::move(variants)) {}

  /// For a search: why a value cannot be tried, and the outcomes of trials of those that can, in their order. It must
  /// not outlive this object. `run` throws search_interrupted, and results_error if the scenario does not measure the
  /// metric of that class.
  tuned_model model();

  /// Ends a search that had to leave out all values.
  /// @param value one of them
  /// @param why it is left out
  /// @throws simulation_fault if any was left out by a fault, which is told then, else results_error
  [[noreturn]] void throw_unmeasurable(const search_range& range, double value, const std::string& why) const;

 private:
  using candidate_key = std::pair<std::size_t, double>;  // variant, value

  std::string refuse(double value, std::size_t variant);
  std::vector<trial_outcome> run(const std::vector<trial>& trials);
  std::string named(std::size_t variant, const std::string& why) const;
  trial_outcome outcome_of(const replication_result& result, const trial& t) const;
  const measurement& find(const replication_result& result) const;
  void count(const candidate_key& of, const std::vector<class_balance>& of_replication);
  std::string why_starving(const candidate_key& of) const;

  std::string metric_, class_name_;
  std::size_t workers_;
  std::function<scenario(double, std::size_t)> scenario_of_;
  std::vector<std::string> variants_;
  interrupt_guard interrupts_;
  std::map<candidate_key, scenario> scenarios_;
  std::map<candidate_key, std::map<std::string, class_balance>> balances_;  // of all replications of a value
  std::optional<std::pair<double, std::string>> fault_;                     // the first value with one, and its reason
};

}  // namespace muster
