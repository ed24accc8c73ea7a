#include "platform/experiment/scenario_trials.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/experiment/experiment.h"
#include "platform/experiment/replication_text.h"
#include "platform/experiment/worker_pool.h"
#include "platform/results/stored_run.h"
#include "platform/simulation/watchdog.h"
#include "platform/theory/stability.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

std::string why_unstable(const scenario& what) {
  const stability found = examine_stability(what);
  if (found.answer != stability::verdict::unstable) return "";
  return fmt::format("unstable: the rate {:.6g} is not below the limit {:.6g}", found.rate, found.unstable_from);
}

}  // namespace

tuned_model scenario_trials::model() {
  const auto refused = [this](double value) {
    std::string why;
    for (std::size_t v = 0; why.empty() && v < std::max<std::size_t>(1, variants_.size()); ++v) why = refuse(value, v);
    return why;
  };
  return {refused, [this](const std::vector<trial>& trials) { return run(trials); }};
}

void scenario_trials::throw_unmeasurable(const search_range& range, double value, const std::string& why) const {
  const auto text = [&](double shown, const std::string& reason) {
    return fmt::format("no value from {} to {} can be measured; {}: {}", range.text(range.low()),
                       range.text(range.high()), range.text(shown), reason);
  };
  if (fault_) throw simulation_fault(text(fault_->first, fault_->second));
  throw results_error(text(value, why));
}

std::string scenario_trials::named(std::size_t variant, const std::string& why) const {
  return variants_.empty() ? why : fmt::format("{}: {}", variants_.at(variant), why);
}

std::string scenario_trials::refuse(double value, std::size_t variant) {
  try {
    scenario what = scenario_of_(value, variant);
    what.run.precision.reset();  // all get equally many jobs
    const std::string why = why_unstable(what);
    if (!why.empty()) return named(variant, why);
    scenarios_.emplace(candidate_key{variant, value}, std::move(what));
    return "";
  } catch (const scenario_error& e) {
    return named(variant, e.diagnostics().front().message);
  }
}

std::vector<trial_outcome> scenario_trials::run(const std::vector<trial>& trials) {
  std::vector<trial_outcome> outcomes(trials.size());
  std::vector<std::vector<class_balance>> balances(trials.size());
  std::set<std::size_t> faults;
  const bool ended = worker_pool(workers_).run(
      trials.size(),
      [&](std::size_t at) {
        const trial& t = trials[at];
        const watchdog guard(fmt::format("candidate {}, replication {}", t.value, t.replication));
        return to_text(run_replication(scenarios_.at({t.variant, t.value}), t.replication));
      },
      [&](const task_outcome& ended_task) {
        const trial& t = trials[ended_task.task];
        if (ended_task.failed) {
          outcomes[ended_task.task].why = fmt::format("fault in replication {}: {}", t.replication, ended_task.text);
          faults.insert(ended_task.task);
          return true;
        }
        const replication_result result = replication_from_text(ended_task.text);
        outcomes[ended_task.task] = outcome_of(result, t);
        balances[ended_task.task] = result.balances;
        return true;
      },
      [&] { return !interrupts_.seen(); });
  if (!ended || interrupts_.seen()) throw search_interrupted();
  for (std::size_t at = 0; at < trials.size(); ++at) count({trials[at].variant, trials[at].value}, balances[at]);
  for (std::size_t at = 0; at < trials.size(); ++at)
    if (std::string why = why_starving({trials[at].variant, trials[at].value}); !why.empty() && outcomes[at].found)
      outcomes[at] = {{}, std::move(why)};
  for (std::size_t at = 0; at < trials.size(); ++at)
    if (!outcomes[at].found) outcomes[at].why = named(trials[at].variant, outcomes[at].why);
  if (!faults.empty() && !fault_) fault_ = {trials[*faults.begin()].value, outcomes[*faults.begin()].why};
  return outcomes;
}

trial_outcome scenario_trials::outcome_of(const replication_result& result, const trial& t) const {
  const measurement& m = find(result);
  if (!m.has_value) return {{}, fmt::format("no {} in replication {}", metric_, t.replication)};
  return {m.value, {}};
}

const measurement& scenario_trials::find(const replication_result& result) const {
  if (const measurement* found = result.find(class_name_, metric_)) return *found;
  std::set<std::string> classes;
  for (const measurement& m : result.measurements)
    if (m.metric == metric_) classes.insert(m.class_name);
  if (classes.empty()) throw results_error(fmt::format("{} is not measured in this scenario", metric_));
  throw results_error(
      fmt::format("{} is not measured of class {}; of: {}", metric_, in_quotes(class_name_), fmt::join(classes, ", ")));
}

void scenario_trials::count(const candidate_key& of, const std::vector<class_balance>& of_replication) {
  for (const class_balance& b : of_replication) {
    class_balance& sum = balances_[of][b.class_name];
    sum.left += b.left;
    sum.present += b.present;
  }
}

// Estimates leave out what has not left, so that they are the better the more of a class is never served.
std::string scenario_trials::why_starving(const candidate_key& of) const {
  const auto found = balances_.find(of);
  if (found == balances_.end()) return "";
  for (const auto& [name, sum] : found->second) {
    if (sum.left == 0 && sum.present > 0) return fmt::format("class {} has no completion", in_quotes(name));
    if (sum.many_left_behind())
      return fmt::format("more than a tenth of class {} is left behind: {} jobs at the end, and {} have left",
                         in_quotes(name), sum.present, sum.left);
  }
  return "";
}

}  // namespace muster
