#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/experiment/interrupt_guard.h"
#include "platform/metrics/replication_result.h"
#include "platform/search/scenario_search.h"

namespace muster {

/// The name of a trial's replication in messages.
std::string trial_label(const std::string& name, std::uint32_t replication);

/// The trials of a search: scenarios that differ in the values that are sought. While this object lives, SIGINT and
/// SIGTERM do not end this process.
class scenario_trials {
 public:
  scenario_trials(const searched_study& request, const scenario_maker& make) : request_(request), make_(make) {}

  /// The model of these trials, which must not outlive this object. A trial that is overloaded, or at which a class
  /// starves over all its replications so far, has found nothing.
  ///
  /// The model's functions throw search_interrupted, and results_error if the scenario does not measure a metric.
  search_model model();

  /// A sentence for each trial so far whose measured window is too short for its load.
  const std::vector<std::string>& short_windows() const { return short_windows_; }

  /// Whether a trial has ended in a fault.
  bool any_fault() const { return fault_.has_value(); }
  /// What is to be known of the windows of these trials, by their values; of two policies, of the last one.
  const std::map<search_values, std::string>& short_trials() const { return short_trials_; }

  /// Ends a search that had to leave out all values: by a fault if any was left out for one.
  /// @param tried at least one, all of them excluded: each kind of reason is named
  [[noreturn]] void throw_that_none_is_left(const std::vector<trial>& tried) const;

 private:
  struct candidate {
    std::string name;  // in messages and, with the number of the point, in the store
    scenario model;
    std::map<std::string, class_balance> balances{};  // of all its replications

    std::string why_starving() const;
  };

  class missing_replications;

  candidate& candidate_of(const trial_replication& r) { return candidates_.at({r.variant, r.values}); }

  std::string with_policy(std::size_t variant, const std::string& why) const;
  std::string refuse(const search_values& values);
  std::string refuse(const search_values& values, std::size_t variant);
  std::vector<trial_outcome> run(const std::vector<trial_replication>& replications);
  // Fills in the outcomes that the store has. @return the places of the others
  std::vector<std::size_t> take_over(const std::vector<trial_replication>& replications,
                                     std::vector<trial_outcome>& outcomes);
  void simulate(const std::vector<trial_replication>& replications, std::vector<trial_outcome>& outcomes,
                std::vector<std::size_t> missing);
  std::string stored_name(const trial_replication& of);
  // Stores what the outcome depends on, no more.
  void keep(const replication_result& result, const trial_replication& of);
  trial_outcome outcome_of(const replication_result& result, const trial_replication& of);

  const searched_study& request_;
  const scenario_maker& make_;
  std::map<std::pair<std::size_t, search_values>, candidate> candidates_;  // by variant and values
  std::optional<std::pair<search_values, std::string>> fault_;             // the first values with one, and its reason
  std::vector<std::string> short_windows_;
  std::map<search_values, std::string> short_trials_;
  interrupt_guard interrupts_;
};

}  // namespace muster
