#include "platform/experiment/candidate_runner.h"

#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/experiment/search_interrupted.h"
#include "platform/experiment/simulation_task.h"
#include "platform/experiment/worker_pool.h"
#include "platform/results/stored_run.h"
#include "platform/simulation/watchdog.h"
#include "platform/theory/stability.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

[[noreturn]] void throw_unmeasured(const metric_of_class& wanted, const replication_result& result) {
  std::set<std::string> classes;
  for (const measurement& m : result.measurements)
    if (m.metric == wanted.metric) classes.insert(m.class_name);
  if (classes.empty()) throw results_error(fmt::format("{} is not measured in this scenario", wanted.metric));
  throw results_error(fmt::format("{} is not measured of class {}; of: {}", wanted.metric, in_quotes(wanted.class_name),
                                  fmt::join(classes, ", ")));
}

// Estimates leave out what has not left, so that they are the better the more of a class is never served.
std::string why_starving(const std::map<std::string, class_balance>& balances) {
  for (const auto& [name, sum] : balances) {
    if (sum.left == 0 && sum.present > 0) return fmt::format("class {} has no completion", in_quotes(name));
    if (sum.many_left_behind())
      return fmt::format("more than a tenth of class {} is left behind: {} jobs at the end, and {} have left",
                         in_quotes(name), sum.present, sum.left);
  }
  return "";
}

}  // namespace

std::string candidate_runner::add(const std::string& name, const std::function<scenario()>& make) {
  try {
    scenario what = make();
    what.run.precision.reset();  // all get equally many jobs
    const stability found = examine_stability(what);
    if (found.answer == stability::verdict::unstable)
      return fmt::format("unstable: the rate {:.6g} is not below the limit {:.6g}", found.rate, found.unstable_from);
    candidates_.push_back({name, std::move(what), {}});
    return "";
  } catch (const scenario_error& e) {
    return e.diagnostics().front().message;
  }
}

// @param missing gets the places of those that the store does not have
void candidate_runner::take_over(const std::vector<candidate_replication>& tasks,
                                 std::vector<candidate_outcome>& outcomes, std::vector<std::size_t>& missing) {
  for (std::size_t at = 0; at < tasks.size(); ++at) {
    const std::optional<std::string> found =
        store_ ? store_->find(candidates_[tasks[at].candidate].name, tasks[at].replication) : std::nullopt;
    if (found)
      outcomes[at] = outcome_of(replication_from_text(*found), tasks[at]);
    else
      missing.push_back(at);
  }
}

// What the outcome depends on, no more.
void candidate_runner::keep(const replication_result& result, const candidate_replication& task) {
  if (!store_) return;
  replication_result kept;
  for (const metric_of_class& wanted : metrics_)
    if (const measurement* found = result.find(wanted.class_name, wanted.metric)) kept.measurements.push_back(*found);
  kept.balances = result.balances;
  store_->add(candidates_[task.candidate].name, task.replication, to_text(kept));
}

std::vector<candidate_outcome> candidate_runner::run(const std::vector<candidate_replication>& tasks) {
  std::vector<candidate_outcome> outcomes(tasks.size());
  std::vector<std::size_t> missing;
  take_over(tasks, outcomes, missing);
  const auto simulate = [&](std::size_t n) {
    const candidate_replication& of = tasks[missing[n]];
    const candidate& c = candidates_[of.candidate];
    const watchdog guard(fmt::format("candidate {}, replication {}", c.name, of.replication));
    return to_text(run_replication(c.what, of.replication));
  };
  const auto finished = [&](const task_outcome& task) {
    const candidate_replication& of = tasks[missing[task.task]];
    candidate_outcome& outcome = outcomes[missing[task.task]];
    if (task.failed) {
      outcome = {{}, fmt::format("fault in replication {}: {}", of.replication, task.text), true};
      return true;
    }
    const replication_result result = replication_from_text(task.text);
    outcome = outcome_of(result, of);
    keep(result, of);
    return true;
  };
  const bool ended = worker_pool(workers_).run(missing.size(), simulate, finished, [&] { return !interrupts_.seen(); });
  if (!ended || interrupts_.seen()) throw search_interrupted();
  for (std::size_t at = 0; at < tasks.size(); ++at)
    if (std::string why = why_starving(candidates_[tasks[at].candidate].balances);
        !why.empty() && !outcomes[at].found.empty())
      outcomes[at] = {{}, std::move(why)};
  return outcomes;
}

candidate_outcome candidate_runner::outcome_of(const replication_result& result, const candidate_replication& task) {
  for (const class_balance& b : result.balances) {
    class_balance& sum = candidates_[task.candidate].balances[b.class_name];
    sum.left += b.left;
    sum.present += b.present;
  }
  candidate_outcome outcome;
  for (const metric_of_class& wanted : metrics_) {
    const measurement* found = result.find(wanted.class_name, wanted.metric);
    if (!found) throw_unmeasured(wanted, result);
    if (!found->has_value) return {{}, fmt::format("no {} in replication {}", wanted.metric, task.replication)};
    outcome.found.push_back(found->value);
  }
  return outcome;
}

}  // namespace muster
