#include "platform/search/candidate_runner.h"

#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "platform/experiment/simulation_task.h"
#include "platform/experiment/worker_pool.h"
#include "platform/results/stored_run.h"
#include "platform/search/search_interrupted.h"
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

std::string label(const std::string& name, std::uint32_t replication) {
  return fmt::format("candidate {}, replication {}", name, replication);
}

/// Gives out the trials that are missing, in their order.
class missing_trials : public task_giver {
 public:
  missing_trials(std::size_t count, std::function<simulation_task(std::size_t)> describe,
                 std::function<void(const task_outcome&)> take,
                 std::function<void(const std::string&, std::optional<std::size_t>)> warn)
      : count_(count), describe_(std::move(describe)), take_(std::move(take)), warn_(std::move(warn)) {}

  std::optional<std::size_t> next() override { return next_ < count_ ? std::optional(next_++) : std::nullopt; }
  simulation_task describe(std::size_t task) const override { return describe_(task); }
  bool take(const task_outcome& outcome) override {
    take_(outcome);
    return true;
  }
  void mishap(const std::string& what, std::optional<std::size_t> whose) override { warn_(what, whose); }
  bool tick() override { return !interrupt_guard::seen(); }

 private:
  std::size_t count_, next_ = 0;
  std::function<simulation_task(std::size_t)> describe_;
  std::function<void(const task_outcome&)> take_;
  std::function<void(const std::string&, std::optional<std::size_t>)> warn_;
};

}  // namespace

std::string simulate_candidate(const std::string& name, scenario candidate, std::uint32_t replication) {
  const watchdog guard(label(name, replication));
  candidate.run.precision.reset();  // all get equally many jobs
  return to_text(run_replication(candidate, replication));
}

std::string candidate_runner::add(const std::string& name, const std::vector<double>& values,
                                  const std::function<scenario()>& make) {
  if (interrupt_guard::seen()) throw search_interrupted();
  try {
    scenario what = make();
    const stability found = examine_stability(what);
    if (found.answer == stability::verdict::unstable)
      return fmt::format("unstable: the rate {:.6g} is not below the limit {:.6g}", found.rate, found.unstable_from);
    candidates_.push_back({name, values, std::move(what), {}});
    return "";
  } catch (const scenario_error& e) {
    return e.diagnostics().front().message;
  }
}

std::string candidate_runner::stored_name(std::size_t number) const {
  return fmt::format("{}, point {}", candidates_[number].name, means_.point);
}

// @param missing gets the places of those that the store does not have
void candidate_runner::take_over(const std::vector<candidate_replication>& tasks,
                                 std::vector<candidate_outcome>& outcomes, std::vector<std::size_t>& missing) {
  for (std::size_t at = 0; at < tasks.size(); ++at) {
    const std::optional<std::string> found =
        means_.store ? means_.store->find(stored_name(tasks[at].candidate), tasks[at].replication) : std::nullopt;
    if (!found) {
      missing.push_back(at);
      continue;
    }
    try {
      outcomes[at] = outcome_of(replication_from_text(*found), tasks[at]);
    } catch (const nlohmann::json::exception& e) {
      throw output_error(fmt::format("{}: is corrupt: {}; {}", means_.store->file(), e.what(), trial_store::remedy));
    }
  }
}

// What the outcome depends on, no more.
void candidate_runner::keep(const replication_result& result, const candidate_replication& task) {
  if (!means_.store) return;
  replication_result kept;
  for (const metric_of_class& wanted : metrics_)
    if (const measurement* found = result.find(wanted.class_name, wanted.metric)) kept.measurements.push_back(*found);
  kept.balances = result.balances;
  means_.store->add(stored_name(task.candidate), task.replication, to_text(kept));
}

std::vector<candidate_outcome> candidate_runner::run(const std::vector<candidate_replication>& tasks) {
  std::vector<candidate_outcome> outcomes(tasks.size());
  std::vector<std::size_t> missing;
  take_over(tasks, outcomes, missing);
  const auto described = [&](std::size_t n) {
    const candidate_replication& of = tasks[missing[n]];
    return simulation_task{{means_.point, of.replication}, {}, {}, candidates_[of.candidate].values};
  };
  const auto finished = [&](const task_outcome& task) {
    const candidate_replication& of = tasks[missing[task.task]];
    candidate_outcome& outcome = outcomes[missing[task.task]];
    if (task.failed) {
      outcome = {{}, fmt::format("fault in replication {}: {}", of.replication, task.text), true};
      return;
    }
    const replication_result result = replication_from_text(task.text);
    outcome = outcome_of(result, of);
    keep(result, of);
  };
  const auto warn = [&](const std::string& what, std::optional<std::size_t> whose) {
    fmt::print(stderr, "warning: {}", what);
    if (whose) {
      const candidate_replication& of = tasks[missing[*whose]];
      fmt::print(stderr, "; {} is run again", label(candidates_[of.candidate].name, of.replication));
    }
    fmt::print(stderr, "\n");
  };
  missing_trials giver(missing.size(), described, finished, warn);
  if (means_.team)
    means_.team->run(giver);
  else
    worker_pool(means_.workers)
        .run([&] { return giver.next(); },
             [&](std::size_t n) {
               const candidate_replication& of = tasks[missing[n]];
               const candidate& c = candidates_[of.candidate];
               return simulate_candidate(c.name, c.what, of.replication);
             },
             [&](const task_outcome& outcome) { return giver.take(outcome); }, [&] { return giver.tick(); });
  if (interrupt_guard::seen()) throw search_interrupted();
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
  if (result.overloaded()) return {{}, fmt::format("overloaded in replication {}", task.replication)};
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
