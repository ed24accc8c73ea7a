#include "platform/experiment/tune.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/experiment/experiment.h"
#include "platform/experiment/replication_text.h"
#include "platform/experiment/worker_pool.h"
#include "platform/results/stored_run.h"
#include "platform/scenario/diagnostics.h"
#include "platform/simulation/replication.h"
#include "platform/simulation/watchdog.h"
#include "platform/theory/stability.h"

namespace muster {

namespace {

constexpr const char* fault_in = "fault in replication ";

std::string why_unstable(const scenario& what) {
  const stability found = examine_stability(what);
  if (found.answer != stability::verdict::unstable) return "";
  return fmt::format("unstable: the rate {:.6g} is not below the limit {:.6g}", found.rate, found.unstable_from);
}

const measurement& find(const replication_result& result, const tuning_goal& goal) {
  std::set<std::string> classes;
  for (const measurement& m : result.measurements) {
    if (m.metric != goal.metric) continue;
    if (m.class_name == goal.class_name) return m;
    classes.insert(m.class_name);
  }
  if (classes.empty()) throw results_error(fmt::format("{} is not measured in this scenario", goal.metric));
  throw results_error(fmt::format("{} is not measured of class {}; of: {}", goal.metric, in_quotes(goal.class_name),
                                  fmt::join(classes, ", ")));
}

trial_outcome outcome_of(const replication_result& result, const trial& t, const tuning_goal& goal) {
  const measurement& m = find(result, goal);
  if (!m.has_value) return {{}, fmt::format("no {} in replication {}", goal.metric, t.replication)};
  return {m.value, {}};
}

/// Scenarios of the values that were let in.
class candidates_of_scenario {
 public:
  candidates_of_scenario(const tuning_goal& goal, const std::function<scenario(double)>& scenario_of)
      : goal_(goal), scenario_of_(scenario_of) {}

  std::string refuse(double value) {
    try {
      scenario what = scenario_of_(value);
      what.run.precision.reset();  // all get equally many jobs
      std::string why = why_unstable(what);
      if (why.empty()) scenarios_.emplace(value, std::move(what));
      return why;
    } catch (const scenario_error& e) {
      return e.diagnostics().front().message;
    }
  }

  std::vector<trial_outcome> run(const std::vector<trial>& trials) {
    std::vector<trial_outcome> outcomes(trials.size());
    std::vector<std::vector<class_balance>> balances(trials.size());
    worker_pool(goal_.workers)
        .run(
            trials.size(),
            [&](std::size_t at) {
              const watchdog guard(
                  fmt::format("candidate {}, replication {}", trials[at].value, trials[at].replication));
              return to_text(run_replication(scenarios_.at(trials[at].value), trials[at].replication));
            },
            [&](const task_outcome& ended) {
              const trial& t = trials[ended.task];
              if (ended.failed) {
                outcomes[ended.task] = {{}, fmt::format("{}{}: {}", fault_in, t.replication, ended.text)};
                return true;
              }
              const replication_result result = replication_from_text(ended.text);
              outcomes[ended.task] = outcome_of(result, t, goal_);
              balances[ended.task] = result.balances;
              return true;
            },
            [] { return true; });
    for (std::size_t at = 0; at < trials.size(); ++at) count(trials[at].value, balances[at]);
    for (std::size_t at = 0; at < trials.size(); ++at)
      if (std::string why = why_starving(trials[at].value); !why.empty() && outcomes[at].found)
        outcomes[at] = {{}, std::move(why)};
    return outcomes;
  }

 private:
  void count(double value, const std::vector<class_balance>& of_replication) {
    for (const class_balance& b : of_replication) {
      class_balance& sum = balances_[value][b.class_name];
      sum.left += b.left;
      sum.present += b.present;
    }
  }

  // Estimates leave out what has not left, so that they are the better the more of a class is never served.
  std::string why_starving(double value) const {
    const auto found = balances_.find(value);
    if (found == balances_.end()) return "";
    for (const auto& [name, sum] : found->second) {
      if (sum.left == 0 && sum.present > 0) return fmt::format("class {} has no completion", in_quotes(name));
      if (sum.many_left_behind())
        return fmt::format("more than a tenth of class {} is left behind: {} jobs at the end, and {} have left",
                           in_quotes(name), sum.present, sum.left);
    }
    return "";
  }

  const tuning_goal& goal_;
  const std::function<scenario(double)>& scenario_of_;
  std::map<double, scenario> scenarios_;
  std::map<double, std::map<std::string, class_balance>> balances_;  // of all replications of a value
};

}  // namespace

narrowing_result tune(const search_range& range, const tuning_goal& goal,
                      const std::function<scenario(double)>& scenario_of,
                      const std::function<void(const narrowing_result&)>& told) {
  candidates_of_scenario candidates(goal, scenario_of);
  narrowing_result found = narrow(range, goal.terms,
                                  {[&](double value) { return candidates.refuse(value); },
                                   [&](const std::vector<trial>& trials) { return candidates.run(trials); }},
                                  told);
  const auto is_excluded = [](const candidate& c) { return c.answer == candidate::verdict::excluded; };
  if (!std::all_of(found.candidates.begin(), found.candidates.end(), is_excluded)) return found;
  const auto is_fault = [](const candidate& c) { return c.why.rfind(fault_in, 0) == 0; };
  const auto fault = std::find_if(found.candidates.begin(), found.candidates.end(), is_fault);
  const bool any_fault = fault != found.candidates.end();
  const candidate& shown = any_fault ? *fault : found.candidates.front();
  const std::string text = fmt::format("no value from {} to {} can be measured; {}: {}", range.text(range.low()),
                                       range.text(range.high()), range.text(shown.value), shown.why);
  if (any_fault) throw simulation_fault(text);
  throw results_error(text);
}

}  // namespace muster
