#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "platform/experiment/interrupt_guard.h"
#include "platform/experiment/task_runner.h"
#include "platform/metrics/replication_result.h"
#include "platform/model/metric_of_class.h"
#include "platform/model/scenario.h"
#include "platform/search/trial_store.h"

namespace muster {

/// A replication of a candidate.
struct candidate_replication {
  std::size_t candidate = 0;
  std::uint32_t replication = 0;
};

/// What it has found, or why it has found nothing that the candidate could be judged by.
struct candidate_outcome {
  std::vector<double> found;  ///< by metric; empty: nothing
  std::string why{};
  bool fault = false;  ///< for that reason
};

/// By what the trials of a search are run.
struct trial_means {
  std::size_t workers = 1;       ///< processes of this machine
  std::size_t point = 0;         ///< of the study, by which the store and the team part what they have
  trial_store* store = nullptr;  ///< has what was found before, and gets what is found; null: none
  task_runner* team = nullptr;   ///< simulates in place of processes of this machine; null: none
};

/// What a candidate's replication finds, as text: in this process, or in one of a team that has read the scenario.
/// @param name in messages
std::string simulate_candidate(const std::string& name, scenario candidate, std::uint32_t replication);

/// Simulates the candidates of a search: scenarios that differ in what is sought. Replications run in worker processes;
/// while this object lives, SIGINT and SIGTERM do not end this process.
class candidate_runner {
 public:
  /// @param means whose store and team must outlive this object
  candidate_runner(std::vector<metric_of_class> metrics, const trial_means& means)
      : metrics_(std::move(metrics)), means_(means) {}

  /// Adds a candidate, whose number is that of those added before.
  /// @param name in messages and, with the number of the point, in the store
  /// @param values of the parameters, by which a team makes the scenario
  /// @param make may throw scenario_error
  /// @return why it cannot be tried, and is not added; empty if it is
  /// @throws search_interrupted
  std::string add(const std::string& name, const std::vector<double>& values, const std::function<scenario()>& make);
  std::size_t count() const { return candidates_.size(); }
  /// The outcomes in the order of the tasks. A candidate that is overloaded, or at which a class starves over all its
  /// replications so far, has found nothing.
  /// @throws results_error if the scenario does not measure a metric; search_interrupted
  std::vector<candidate_outcome> run(const std::vector<candidate_replication>& tasks);

 private:
  struct candidate {
    std::string name;
    std::vector<double> values;
    scenario what;
    std::map<std::string, class_balance> balances;  // of all its replications
  };

  void take_over(const std::vector<candidate_replication>& tasks, std::vector<candidate_outcome>& outcomes,
                 std::vector<std::size_t>& missing);
  std::string stored_name(std::size_t number) const;
  void keep(const replication_result& result, const candidate_replication& task);
  candidate_outcome outcome_of(const replication_result& result, const candidate_replication& task);

  std::vector<metric_of_class> metrics_;
  trial_means means_;
  interrupt_guard interrupts_;
  std::vector<candidate> candidates_;
};

}  // namespace muster
