#include "platform/experiment/scenario_search.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/experiment/experiment.h"
#include "platform/experiment/interrupt_guard.h"
#include "platform/experiment/simulation_task.h"
#include "platform/experiment/worker_pool.h"
#include "platform/results/stored_run.h"
#include "platform/simulation/watchdog.h"
#include "platform/theory/stability.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

/// Simulates the trials of a search.
class scenario_trials {
 public:
  /// @param variants the policies' names; empty: there is but one
  scenario_trials(const search_goal& goal, std::function<scenario(double value, std::size_t variant)> scenario_of,
                  std::vector<std::string> variants)
      : goal_(goal), scenario_of_(std::move(scenario_of)), variants_(std::move(variants)) {}

  /// It must not outlive this object.
  tuned_model model() {
    const auto refused = [this](double value) {
      std::string why;
      for (std::size_t v = 0; why.empty() && v < std::max<std::size_t>(1, variants_.size()); ++v)
        why = refuse(value, v);
      return why;
    };
    return {refused, [this](const std::vector<trial>& trials) { return run(trials); }};
  }

  /// Ends a search that had to leave out all values: by a fault if any was left out for one.
  /// @param tried candidates, or paired_points
  template <class Tried>
  void throw_if_all_are_left_out(const search_range& range, const std::vector<Tried>& tried) const {
    if (!std::all_of(tried.begin(), tried.end(), [](const Tried& t) { return !t.why.empty(); })) return;
    const auto text = [&](double shown, const std::string& reason) {
      return fmt::format("no value from {} to {} can be measured; {}: {}", range.text(range.low()),
                         range.text(range.high()), range.text(shown), reason);
    };
    if (fault_) throw simulation_fault(text(fault_->first, fault_->second));
    throw results_error(text(tried.front().value, tried.front().why));
  }

 private:
  using candidate_key = std::pair<std::size_t, double>;  // variant, value

  std::string named(std::size_t variant, const std::string& why) const {
    return variants_.empty() ? why : fmt::format("{}: {}", variants_.at(variant), why);
  }

  std::string refuse(double value, std::size_t variant) {
    try {
      scenario what = scenario_of_(value, variant);
      what.run.precision.reset();  // all get equally many jobs
      const stability found = examine_stability(what);
      if (found.answer == stability::verdict::unstable)
        return named(variant, fmt::format("unstable: the rate {:.6g} is not below the limit {:.6g}", found.rate,
                                          found.unstable_from));
      scenarios_.emplace(candidate_key{variant, value}, std::move(what));
      return "";
    } catch (const scenario_error& e) {
      return named(variant, e.diagnostics().front().message);
    }
  }

  std::vector<trial_outcome> run(const std::vector<trial>& trials) {
    std::vector<trial_outcome> outcomes(trials.size());
    std::set<std::size_t> faults;
    const bool ended =
        worker_pool(goal_.workers)
            .run(
                trials.size(),
                [&](std::size_t at) {
                  const trial& t = trials[at];
                  const watchdog guard(fmt::format("candidate {}, replication {}", t.value, t.replication));
                  return to_text(run_replication(scenarios_.at({t.variant, t.value}), t.replication));
                },
                [&](const task_outcome& task) {
                  const trial& t = trials[task.task];
                  if (task.failed) faults.insert(task.task);
                  outcomes[task.task] =
                      task.failed
                          ? trial_outcome{{}, fmt::format("fault in replication {}: {}", t.replication, task.text)}
                          : outcome_of(replication_from_text(task.text), t);
                  return true;
                },
                [&] { return !interrupts_.seen(); });
    if (!ended || interrupts_.seen()) throw search_interrupted();
    for (std::size_t at = 0; at < trials.size(); ++at) {
      const trial& t = trials[at];
      if (std::string why = why_starving({t.variant, t.value}); !why.empty() && outcomes[at].found)
        outcomes[at] = {{}, std::move(why)};
      if (!outcomes[at].found) outcomes[at].why = named(t.variant, outcomes[at].why);
    }
    if (!faults.empty() && !fault_) fault_ = {trials[*faults.begin()].value, outcomes[*faults.begin()].why};
    return outcomes;
  }

  trial_outcome outcome_of(const replication_result& result, const trial& t) {
    for (const class_balance& b : result.balances) {
      class_balance& sum = balances_[{t.variant, t.value}][b.class_name];
      sum.left += b.left;
      sum.present += b.present;
    }
    const measurement* found = result.find(goal_.class_name, goal_.metric);
    if (!found) throw_unmeasured(result);
    if (!found->has_value) return {{}, fmt::format("no {} in replication {}", goal_.metric, t.replication)};
    return {found->value, {}};
  }

  [[noreturn]] void throw_unmeasured(const replication_result& result) const {
    std::set<std::string> classes;
    for (const measurement& m : result.measurements)
      if (m.metric == goal_.metric) classes.insert(m.class_name);
    if (classes.empty()) throw results_error(fmt::format("{} is not measured in this scenario", goal_.metric));
    throw results_error(fmt::format("{} is not measured of class {}; of: {}", goal_.metric, in_quotes(goal_.class_name),
                                    fmt::join(classes, ", ")));
  }

  // Estimates leave out what has not left, so that they are the better the more of a class is never served.
  std::string why_starving(const candidate_key& of) {
    for (const auto& [name, sum] : balances_[of]) {
      if (sum.left == 0 && sum.present > 0) return fmt::format("class {} has no completion", in_quotes(name));
      if (sum.many_left_behind())
        return fmt::format("more than a tenth of class {} is left behind: {} jobs at the end, and {} have left",
                           in_quotes(name), sum.present, sum.left);
    }
    return "";
  }

  const search_goal& goal_;
  std::function<scenario(double, std::size_t)> scenario_of_;
  std::vector<std::string> variants_;
  interrupt_guard interrupts_;
  std::map<candidate_key, scenario> scenarios_;
  std::map<candidate_key, std::map<std::string, class_balance>> balances_;  // of all replications of a value
  std::optional<std::pair<double, std::string>> fault_;                     // the first value with one, and its reason
};

}  // namespace

narrowing_result tune(const search_range& range, const tuning_goal& goal,
                      const std::function<scenario(double value)>& scenario_of,
                      const std::function<void(const narrowing_result&)>& told) {
  const auto of_variant = [&](double value, std::size_t) { return scenario_of(value); };
  scenario_trials trials(goal, of_variant, {});
  narrowing_result found = narrow(range, goal.terms, trials.model(), told);
  trials.throw_if_all_are_left_out(range, found.candidates);
  return found;
}

crossover_result crossover(const search_range& range, const crossover_goal& goal,
                           const std::function<scenario(double value, std::size_t variant)>& scenario_of,
                           const std::function<void(const crossover_result&)>& told) {
  scenario_trials trials(goal, scenario_of, {goal.policies.begin(), goal.policies.end()});
  crossover_result found = find_crossings(range, goal.terms, trials.model(), told);
  trials.throw_if_all_are_left_out(range, found.scanned.points);
  return found;
}

}  // namespace muster
