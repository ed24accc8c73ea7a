#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/experiment/interrupt_guard.h"
#include "platform/experiment/task_runner.h"
#include "platform/metrics/replication_result.h"
#include "platform/model/metric_of_class.h"
#include "platform/model/scenario.h"
#include "platform/search/trial.h"
#include "platform/search/trial_store.h"

namespace muster {

/// By what the trials of a search are run.
struct trial_means {
  std::size_t workers = 1;       ///< processes of this machine
  std::size_t point = 0;         ///< of the study, by which the store and the team part what they have
  trial_store* store = nullptr;  ///< has what was found before, and gets what is found; null: none
  task_runner* team = nullptr;   ///< simulates in place of processes of this machine; null: none
};

/// What a trial's replication finds, as text: in this process, or in one of a team that has read the scenario.
/// @param name in messages
std::string simulate_trial(const std::string& name, scenario of_trial, std::uint32_t replication);

/// Simulates the trials of a search: scenarios that differ in the values that are sought. Replications run in worker
/// processes; while this object lives, SIGINT and SIGTERM do not end this process.
class scenario_trials {
 public:
  /// The scenario with values of the axes, under one of the variants; may throw scenario_error.
  using scenario_maker = std::function<scenario(const search_values&, std::size_t variant)>;

  /// @param space must outlive this object
  /// @param means whose store and team must outlive this object
  /// @param variants the names of what the search compares at the same values; empty: there is but one
  scenario_trials(const search_space& space, std::vector<metric_of_class> metrics, const trial_means& means,
                  scenario_maker make, std::vector<std::string> variants = {})
      : space_(space),
        metrics_(std::move(metrics)),
        means_(means),
        make_(std::move(make)),
        variants_(std::move(variants)) {}

  /// The model of these trials, which must not outlive this object. A trial that is overloaded, or at which a class
  /// starves over all its replications so far, has found nothing; of several variants, the reason begins with the name
  /// of the variant.
  ///
  /// Its functions throw search_interrupted, and results_error if the scenario does not measure a metric.
  search_model model();
  /// A sentence for each trial so far whose measured window is too short for its load.
  const std::vector<std::string>& short_windows() const { return short_windows_; }
  /// Ends a search that had to leave out all values: by a fault if any was left out for one.
  /// @param why the reason for the first of them
  [[noreturn]] void throw_that_none_is_left(const search_values& first, const std::string& why) const;

 private:
  struct subject {
    std::string name;  // in messages and, with the number of the point, in the store
    scenario model;
    std::map<std::string, class_balance> balances{};  // of all its replications
  };
  using subject_key = std::pair<std::size_t, search_values>;  // variant, values

  std::string refuse(const search_values& values);
  std::string refuse(const search_values& values, std::size_t variant);
  std::string named(std::size_t variant, const std::string& why) const;
  std::vector<trial_outcome> run(const std::vector<trial_replication>& replications);
  void take_over(const std::vector<trial_replication>& replications, std::vector<trial_outcome>& outcomes,
                 std::vector<std::size_t>& missing);
  void simulate(const std::vector<trial_replication>& replications, std::vector<trial_outcome>& outcomes,
                const std::vector<std::size_t>& missing);
  subject& subject_of(const trial_replication& r) { return subjects_.at({r.variant, r.values}); }
  std::string stored_name(const trial_replication& of);
  void keep(const replication_result& result, const trial_replication& of);
  trial_outcome outcome_of(const replication_result& result, const trial_replication& of);

  const search_space& space_;
  std::vector<metric_of_class> metrics_;
  trial_means means_;
  scenario_maker make_;
  std::vector<std::string> variants_;
  std::map<subject_key, subject> subjects_;
  std::optional<std::pair<search_values, std::string>> fault_;  // the first values with one, and its reason
  std::vector<std::string> short_windows_;
  interrupt_guard interrupts_;
};

}  // namespace muster
