#include "platform/search/scenario_trials.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "platform/cautions/measured_window.h"
#include "platform/experiment/experiment.h"
#include "platform/experiment/simulation_task.h"
#include "platform/experiment/worker_pool.h"
#include "platform/search/search_findings.h"
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

}  // namespace

std::string trial_label(const std::string& name, std::uint32_t replication) {
  return fmt::format("candidate {}, replication {}", name, replication);
}

// Estimates leave out what has not left, so that they are the better the more of a class is never served.
std::string scenario_trials::candidate::why_starving() const {
  for (const auto& [class_name, sum] : balances) {
    if (sum.left == 0 && sum.present > 0) return fmt::format("class {} has no completion", in_quotes(class_name));
    if (sum.many_left_behind())
      return fmt::format("more than a tenth of class {} is left behind: {} jobs at the end, and {} have left",
                         in_quotes(class_name), sum.present, sum.left);
  }
  return "";
}

/// Gives out the replications that the store does not have, in their order.
class scenario_trials::missing_replications : public task_source {
 public:
  missing_replications(scenario_trials& trials, const std::vector<trial_replication>& replications,
                       std::vector<trial_outcome>& outcomes, std::vector<std::size_t> missing)
      : trials_(trials), replications_(replications), outcomes_(outcomes), missing_(std::move(missing)) {}

  std::optional<std::size_t> next() override { return next_ < missing_.size() ? std::optional(next_++) : std::nullopt; }
  simulation_task describe(std::size_t task) const override {
    const trial_replication& of = replication(task);
    simulation_task described{{trials_.request_.point, of.replication}, {}, {}, of.values};
    if (!trials_.request_.policies.empty()) described.values.push_back(static_cast<double>(of.variant));
    return described;
  }
  bool take(const task_outcome& outcome) override {
    const trial_replication& of = replication(outcome.task);
    trial_outcome& found = outcomes_[missing_[outcome.task]];
    if (outcome.failed) {
      found = {{},
               fmt::format("fault in replication {}: {}", of.replication,
                           fault_of(outcome, trials_.candidate_of(of).model))};
      first_fault_ = std::min(first_fault_.value_or(missing_[outcome.task]), missing_[outcome.task]);
      return true;
    }
    const replication_result result = replication_from_bytes(outcome.text);
    found = trials_.outcome_of(result, of);
    trials_.keep(result, of);
    return true;
  }
  void incident(const std::string& message, std::optional<std::size_t> whose) override {
    const std::string again =
        whose ? "; " + trial_label(trials_.candidate_of(replication(*whose)).name, replication(*whose).replication) +
                    " is run again"
              : "";
    fmt::print(stderr, "warning: {}{}\n", message, again);
  }
  bool tick() override { return !interrupt_guard::seen(); }

  const trial_replication& replication(std::size_t task) const { return replications_[missing_[task]]; }
  /// The place of the first replication that has ended in a fault.
  std::optional<std::size_t> first_fault() const { return first_fault_; }

 private:
  scenario_trials& trials_;
  const std::vector<trial_replication>& replications_;
  std::vector<trial_outcome>& outcomes_;
  std::vector<std::size_t> missing_;  // places
  std::size_t next_ = 0;
  std::optional<std::size_t> first_fault_;
};

search_model scenario_trials::model() {
  return {request_.metrics.size(), [this](const search_values& values) { return refuse(values); },
          [this](const std::vector<trial_replication>& replications) { return run(replications); }};
}

void scenario_trials::throw_that_none_is_left(const std::vector<trial>& tried) const {
  const search_space& space = request_.space;
  std::string text =
      fmt::format("no {} can be measured",
                  request_.is_over_one_key() ? "value " + space.axes().front().range.words() : "combination");
  if (fault_) throw simulation_fault(fmt::format("{}; {}: {}", text, space.text(fault_->first), fault_->second));
  const std::vector<exclusion> kinds = exclusions_among(tried);
  for (const exclusion& of : kinds)
    text += fmt::format("; {}{}: {}", kinds.size() > 1 && of.count > 1 ? fmt::format("{} such as ", of.count) : "",
                        space.text(of.first->values), of.first->why);
  throw results_error(text);
}

std::string scenario_trials::with_policy(std::size_t variant, const std::string& why) const {
  return request_.policies.empty() || why.empty() ? why : fmt::format("{}: {}", request_.policies.at(variant), why);
}

std::string scenario_trials::refuse(const search_values& values) {
  std::string why;
  for (std::size_t v = 0; why.empty() && v < std::max<std::size_t>(1, request_.policies.size()); ++v)
    why = with_policy(v, refuse(values, v));
  return why;
}

std::string scenario_trials::refuse(const search_values& values, std::size_t variant) {
  if (interrupt_guard::seen()) throw search_interrupted();
  try {
    scenario model = make_(values, variant);
    const std::string name = request_.space.text(values);
    const stability found = examine_stability(model);
    if (found.answer == stability::verdict::unstable)
      return fmt::format("unstable: the rate {:.6g} is not below the limit {:.6g}", found.rate, found.unstable_from);
    if (const measured_window window(model, found); window.is_short()) {
      short_windows_.push_back(fmt::format("{}: {}", with_policy(variant, name), window.in_words()));
      short_trials_[values] = window.in_words();
    }
    candidates_.insert_or_assign({variant, values}, candidate{name, std::move(model)});
    return "";
  } catch (const scenario_error& e) {
    return e.diagnostics().front().message;
  }
}

std::vector<trial_outcome> scenario_trials::run(const std::vector<trial_replication>& replications) {
  std::vector<trial_outcome> outcomes(replications.size());
  simulate(replications, outcomes, take_over(replications, outcomes));
  if (interrupt_guard::seen()) throw search_interrupted();
  for (std::size_t at = 0; at < replications.size(); ++at) {
    if (std::string why = candidate_of(replications[at]).why_starving(); !why.empty() && !outcomes[at].found.empty())
      outcomes[at] = {{}, std::move(why)};
    outcomes[at].why = with_policy(replications[at].variant, outcomes[at].why);
  }
  return outcomes;
}

std::vector<std::size_t> scenario_trials::take_over(const std::vector<trial_replication>& replications,
                                                    std::vector<trial_outcome>& outcomes) {
  std::vector<std::size_t> missing;
  for (std::size_t at = 0; at < replications.size(); ++at) {
    const trial_replication& of = replications[at];
    const auto stored = request_.store ? request_.store->find(stored_name(of), of.replication) : std::nullopt;
    if (!stored) {
      missing.push_back(at);
      continue;
    }
    try {
      outcomes[at] = outcome_of(replication_from_text(*stored), of);
    } catch (const nlohmann::json::exception& e) {
      throw output_error(fmt::format("{}: is corrupt: {}; {}", request_.store->file(), e.what(), trial_store::remedy));
    }
  }
  return missing;
}

void scenario_trials::simulate(const std::vector<trial_replication>& replications, std::vector<trial_outcome>& outcomes,
                               std::vector<std::size_t> missing) {
  missing_replications source(*this, replications, outcomes, std::move(missing));
  const auto simulate_here = [&](std::size_t task) {
    const candidate& of = candidate_of(source.replication(task));
    return simulate_trial(of.name, of.model, source.replication(task).replication);
  };
  if (request_.team)
    request_.team->run(source);
  else
    worker_pool(request_.workers)
        .run([&] { return source.next(); }, simulate_here,
             [&](const task_outcome& outcome) { return source.take(outcome); }, [&] { return source.tick(); });
  if (const auto first = source.first_fault(); first && !fault_)
    fault_ = {replications[*first].values, with_policy(replications[*first].variant, outcomes[*first].why)};
}

std::string scenario_trials::stored_name(const trial_replication& of) {
  return fmt::format("{}, point {}{}", candidate_of(of).name, request_.point,
                     request_.policies.empty() ? "" : ", " + request_.policies[of.variant]);
}

void scenario_trials::keep(const replication_result& result, const trial_replication& of) {
  if (!request_.store) return;
  replication_result kept;
  for (const metric_of_class& wanted : request_.metrics)
    if (const measurement* found = result.find(wanted.class_name, wanted.metric)) kept.measurements.push_back(*found);
  kept.balances = result.balances;
  request_.store->add(stored_name(of), of.replication, to_text(kept));
}

trial_outcome scenario_trials::outcome_of(const replication_result& result, const trial_replication& of) {
  for (const class_balance& b : result.balances) {
    class_balance& sum = candidate_of(of).balances[b.class_name];
    sum.left += b.left;
    sum.present += b.present;
  }
  if (result.overloaded()) return {{}, fmt::format("overloaded in replication {}", of.replication)};
  trial_outcome outcome;
  for (const metric_of_class& wanted : request_.metrics) {
    const measurement* found = result.find(wanted.class_name, wanted.metric);
    if (!found) throw_unmeasured(wanted, result);
    if (!found->has_value) return {{}, fmt::format("no {} in replication {}", wanted.metric, of.replication)};
    if (outcome.found.empty()) outcome.parts = found->parts;
    outcome.found.push_back(found->value);
  }
  return outcome;
}

}  // namespace muster
