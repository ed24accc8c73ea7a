#pragma once

#include <cstddef>
#include <functional>
#include <map>
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
/// tenth of as many as leave are still there at the end, over all replications of the value.
///
/// While it lives, SIGINT and SIGTERM end the search (search_interrupted) and not the process.
class scenario_trials {
 public:
  /// @param scenario_of the scenario of a variant (trial::variant) with a value of the parameter; may throw
  ///   scenario_error
  scenario_trials(std::string metric, std::string class_name, std::size_t workers,
                  std::function<scenario(double value, std::size_t variant)> scenario_of)
      : metric_(std::move(metric)),
        class_name_(std::move(class_name)),
        workers_(workers),
        scenario_of_(std::move(scenario_of)) {}

  /// Why a value cannot be tried; empty if it can.
  std::string refuse(double value, std::size_t variant = 0);
  /// The outcomes of trials of values that were not refused, in their order.
  /// @throws search_interrupted
  /// @throws results_error if the scenario does not measure the metric of that class
  std::vector<trial_outcome> run(const std::vector<trial>& trials);

  /// Whether a reason of run() is a fault of the simulation.
  static bool is_fault(const std::string& why);

 private:
  using candidate_key = std::pair<std::size_t, double>;  // variant, value

  trial_outcome outcome_of(const replication_result& result, const trial& t) const;
  const measurement& find(const replication_result& result) const;
  void count(const candidate_key& of, const std::vector<class_balance>& of_replication);
  std::string why_starving(const candidate_key& of) const;

  std::string metric_, class_name_;
  std::size_t workers_;
  std::function<scenario(double, std::size_t)> scenario_of_;
  interrupt_guard interrupts_;
  std::map<candidate_key, scenario> scenarios_;
  std::map<candidate_key, std::map<std::string, class_balance>> balances_;  // of all replications of a value
};

}  // namespace muster
