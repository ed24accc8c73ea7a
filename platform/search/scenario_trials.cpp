#include "platform/search/scenario_trials.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "platform/experiment/experiment.h"
#include "platform/experiment/simulation_task.h"
#include "platform/experiment/worker_pool.h"
#include "platform/inference/measured_window.h"
#include "platform/search/search_interrupted.h"
#include "platform/simulation/watchdog.h"
#include "platform/store/stored_run.h"
#include "platform/theory/stability/stability.h"
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

std::string simulate_trial(const std::string& name, scenario of_trial, std::uint32_t replication) {
  const watchdog guard(label(name, replication));
  of_trial.run.precision.reset();  // all get equally many jobs
  return to_text(run_replication(of_trial, replication));
}

search_model scenario_trials::model() {
  return {metrics_.size(), [this](const search_values& values) { return refuse(values); },
          [this](const std::vector<trial_replication>& replications) { return run(replications); }};
}

void scenario_trials::throw_that_none_is_left(const search_values& first, const std::string& why) const {
  const std::string all = space_.axes().size() == 1 ? "value " + space_.axes().front().range.words() : "combination";
  const auto text = [&](const search_values& values, const std::string& reason) {
    return fmt::format("no {} can be measured; {}: {}", all, space_.text(values), reason);
  };
  if (fault_) throw simulation_fault(text(fault_->first, fault_->second));
  throw results_error(text(first, why));
}

std::string scenario_trials::named(std::size_t variant, const std::string& why) const {
  return variants_.empty() || why.empty() ? why : fmt::format("{}: {}", variants_.at(variant), why);
}

std::string scenario_trials::refuse(const search_values& values) {
  std::string why;
  for (std::size_t v = 0; why.empty() && v < std::max<std::size_t>(1, variants_.size()); ++v)
    why = named(v, refuse(values, v));
  return why;
}

std::string scenario_trials::refuse(const search_values& values, std::size_t variant) {
  if (interrupt_guard::seen()) throw search_interrupted();
  try {
    scenario model = make_(values, variant);
    const stability found = examine_stability(model);
    if (found.answer == stability::verdict::unstable)
      return fmt::format("unstable: the rate {:.6g} is not below the limit {:.6g}", found.rate, found.unstable_from);
    if (const measured_window window(model, found); window.is_short())
      short_windows_.push_back(fmt::format("{}: {}", named(variant, space_.text(values)), window.in_words()));
    subjects_.insert_or_assign({variant, values}, subject{space_.text(values), std::move(model)});
    return "";
  } catch (const scenario_error& e) {
    return e.diagnostics().front().message;
  }
}

std::string scenario_trials::stored_name(const trial_replication& of) {
  return fmt::format("{}, point {}{}", subject_of(of).name, means_.point,
                     variants_.empty() ? "" : ", " + variants_[of.variant]);
}

// @param missing gets the places of those that the store does not have
void scenario_trials::take_over(const std::vector<trial_replication>& replications,
                                std::vector<trial_outcome>& outcomes, std::vector<std::size_t>& missing) {
  for (std::size_t at = 0; at < replications.size(); ++at) {
    const trial_replication& of = replications[at];
    const std::optional<std::string> found =
        means_.store ? means_.store->find(stored_name(of), of.replication) : std::nullopt;
    if (!found) {
      missing.push_back(at);
      continue;
    }
    try {
      outcomes[at] = outcome_of(replication_from_text(*found), of);
    } catch (const nlohmann::json::exception& e) {
      throw output_error(fmt::format("{}: is corrupt: {}; {}", means_.store->file(), e.what(), trial_store::remedy));
    }
  }
}

// What the outcome depends on, no more.
void scenario_trials::keep(const replication_result& result, const trial_replication& of) {
  if (!means_.store) return;
  replication_result kept;
  for (const metric_of_class& wanted : metrics_)
    if (const measurement* found = result.find(wanted.class_name, wanted.metric)) kept.measurements.push_back(*found);
  kept.balances = result.balances;
  means_.store->add(stored_name(of), of.replication, to_text(kept));
}

std::vector<trial_outcome> scenario_trials::run(const std::vector<trial_replication>& replications) {
  std::vector<trial_outcome> outcomes(replications.size());
  std::vector<std::size_t> missing;
  take_over(replications, outcomes, missing);
  simulate(replications, outcomes, missing);
  if (interrupt_guard::seen()) throw search_interrupted();
  for (std::size_t at = 0; at < replications.size(); ++at) {
    if (std::string why = why_starving(subject_of(replications[at]).balances);
        !why.empty() && !outcomes[at].found.empty())
      outcomes[at] = {{}, std::move(why)};
    outcomes[at].why = named(replications[at].variant, outcomes[at].why);
  }
  return outcomes;
}

void scenario_trials::simulate(const std::vector<trial_replication>& replications, std::vector<trial_outcome>& outcomes,
                               const std::vector<std::size_t>& missing) {
  std::vector<std::size_t> faults;
  const auto described = [&](std::size_t n) {
    const trial_replication& of = replications[missing[n]];
    simulation_task task{{means_.point, of.replication}, {}, {}, of.values};
    if (!variants_.empty()) task.values.push_back(static_cast<double>(of.variant));
    return task;
  };
  const auto finished = [&](const task_outcome& task) {
    const std::size_t at = missing[task.task];
    if (task.failed) {
      outcomes[at] = {{}, fmt::format("fault in replication {}: {}", replications[at].replication, task.text)};
      faults.push_back(at);
      return;
    }
    const replication_result result = replication_from_text(task.text);
    outcomes[at] = outcome_of(result, replications[at]);
    keep(result, replications[at]);
  };
  const auto warn = [&](const std::string& incident, std::optional<std::size_t> whose) {
    fmt::print(stderr, "warning: {}", incident);
    if (whose) {
      const trial_replication& of = replications[missing[*whose]];
      fmt::print(stderr, "; {} is run again", label(subject_of(of).name, of.replication));
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
               const trial_replication& of = replications[missing[n]];
               const subject& s = subject_of(of);
               return simulate_trial(s.name, s.model, of.replication);
             },
             [&](const task_outcome& outcome) { return giver.take(outcome); }, [&] { return giver.tick(); });
  if (faults.empty() || fault_) return;
  const std::size_t first = *std::min_element(faults.begin(), faults.end());
  fault_ = {replications[first].values, named(replications[first].variant, outcomes[first].why)};
}

trial_outcome scenario_trials::outcome_of(const replication_result& result, const trial_replication& of) {
  for (const class_balance& b : result.balances) {
    class_balance& sum = subject_of(of).balances[b.class_name];
    sum.left += b.left;
    sum.present += b.present;
  }
  if (result.overloaded()) return {{}, fmt::format("overloaded in replication {}", of.replication)};
  trial_outcome outcome;
  for (const metric_of_class& wanted : metrics_) {
    const measurement* found = result.find(wanted.class_name, wanted.metric);
    if (!found) throw_unmeasured(wanted, result);
    if (!found->has_value) return {{}, fmt::format("no {} in replication {}", wanted.metric, of.replication)};
    outcome.found.push_back(found->value);
  }
  return outcome;
}

}  // namespace muster
