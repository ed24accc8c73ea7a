#include "platform/search/scenario_search.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/experiment/experiment.h"
#include "platform/results/stored_run.h"
#include "platform/search/candidate_runner.h"

namespace muster {

namespace {

/// Simulates the trials of a search over one parameter.
class scenario_trials {
 public:
  /// @param variants the policies' names; empty: there is but one
  scenario_trials(const search_range& range, const search_goal& goal,
                  std::function<scenario(double value, std::size_t variant)> scenario_of,
                  std::vector<std::string> variants)
      : range_(range), runner_({goal}, goal), scenario_of_(std::move(scenario_of)), variants_(std::move(variants)) {}

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
  void throw_if_all_are_left_out(const std::vector<Tried>& tried) const {
    if (!std::all_of(tried.begin(), tried.end(), [](const Tried& t) { return !t.why.empty(); })) return;
    const auto text = [&](double shown, const std::string& reason) {
      return fmt::format("no value {} can be measured; {}: {}", range_.words(), range_.text(shown), reason);
    };
    if (fault_) throw simulation_fault(text(fault_->first, fault_->second));
    throw results_error(text(tried.front().value, tried.front().why));
  }

 private:
  using candidate_key = std::pair<std::size_t, double>;  // variant, value

  std::string named(std::size_t variant, const std::string& why) const {
    return variants_.empty() || why.empty() ? why : fmt::format("{}: {}", variants_.at(variant), why);
  }

  std::string refuse(double value, std::size_t variant) {
    const std::size_t number = runner_.count();
    std::string why = runner_.add(range_.text(value), {value}, [&] { return scenario_of_(value, variant); });
    if (why.empty()) numbers_.emplace(candidate_key{variant, value}, number);
    return named(variant, why);
  }

  std::vector<trial_outcome> run(const std::vector<trial>& trials) {
    std::vector<candidate_replication> tasks;
    tasks.reserve(trials.size());
    for (const trial& t : trials) tasks.push_back({numbers_.at({t.variant, t.value}), t.replication});
    std::vector<trial_outcome> outcomes;
    for (const candidate_outcome& found : runner_.run(tasks)) {
      const trial& t = trials[outcomes.size()];
      outcomes.push_back(
          {found.found.empty() ? std::nullopt : std::optional(found.found.front()), named(t.variant, found.why)});
      if (found.fault && !fault_) fault_ = {t.value, outcomes.back().why};
    }
    return outcomes;
  }

  const search_range& range_;
  candidate_runner runner_;
  std::function<scenario(double, std::size_t)> scenario_of_;
  std::vector<std::string> variants_;
  std::map<candidate_key, std::size_t> numbers_;
  std::optional<std::pair<double, std::string>> fault_;  // the first value with one, and its reason
};

/// Simulates the trials of a search over several parameters.
class combination_trials {
 public:
  combination_trials(const std::vector<grid_axis>& axes, const exploration_goal& goal,
                     const std::function<scenario(const std::vector<double>&)>& scenario_of)
      : axes_(axes), goal_(goal), runner_(goal.metrics, goal), scenario_of_(scenario_of) {}

  /// It must not outlive this object.
  explored_model model() {
    return {goal_.metrics.size(), [this](const grid_place& place) { return refuse(place); },
            [this](const std::vector<explored_model::trial>& trials) { return run(trials); }};
  }

  /// As that of scenario_trials.
  void throw_if_all_are_left_out(const std::vector<combination>& tried) const {
    if (!std::all_of(tried.begin(), tried.end(), [](const combination& c) { return !c.why.empty(); })) return;
    const auto text = [&](const grid_place& place, const std::string& reason) {
      return fmt::format("no combination can be measured; {}: {}", text_of(place), reason);
    };
    if (fault_) throw simulation_fault(text(fault_->first, fault_->second));
    throw results_error(text(tried.front().place, tried.front().why));
  }

 private:
  std::vector<double> values_of(const grid_place& place) const {
    std::vector<double> values;
    for (std::size_t axis = 0; axis < place.size(); ++axis) values.push_back(axes_[axis].value(place[axis]));
    return values;
  }

  std::string text_of(const grid_place& place) const {
    std::vector<std::string> words;
    for (std::size_t axis = 0; axis < place.size(); ++axis)
      words.push_back(axes_[axis].range().text(axes_[axis].value(place[axis])));
    return fmt::format("{}", fmt::join(words, ", "));
  }

  std::string refuse(const grid_place& place) {
    const std::size_t number = runner_.count();
    const std::vector<double> values = values_of(place);
    std::string why = runner_.add(text_of(place), values, [&] { return scenario_of_(values); });
    if (why.empty()) numbers_.emplace(place, number);
    return why;
  }

  std::vector<explored_model::outcome> run(const std::vector<explored_model::trial>& trials) {
    std::vector<candidate_replication> tasks;
    tasks.reserve(trials.size());
    for (const explored_model::trial& t : trials) tasks.push_back({numbers_.at(t.place), t.replication});
    std::vector<explored_model::outcome> outcomes;
    for (candidate_outcome& found : runner_.run(tasks)) {
      if (found.fault && !fault_) fault_ = {trials[outcomes.size()].place, found.why};
      outcomes.push_back({std::move(found.found), std::move(found.why)});
    }
    return outcomes;
  }

  const std::vector<grid_axis>& axes_;
  const exploration_goal& goal_;
  candidate_runner runner_;
  const std::function<scenario(const std::vector<double>&)>& scenario_of_;
  std::map<grid_place, std::size_t> numbers_;
  std::optional<std::pair<grid_place, std::string>> fault_;  // the first combination with one, and its reason
};

}  // namespace

narrowing_result tune(const search_range& range, const tuning_goal& goal,
                      const std::function<scenario(double value)>& scenario_of,
                      const std::function<void(const narrowing_result&)>& told) {
  const auto of_variant = [&](double value, std::size_t) { return scenario_of(value); };
  scenario_trials trials(range, goal, of_variant, {});
  narrowing_result found = narrow(range, goal.terms, trials.model(), told);
  trials.throw_if_all_are_left_out(found.candidates);
  return found;
}

exploration_result explore(const std::vector<grid_axis>& axes, const exploration_goal& goal,
                           const std::function<scenario(const std::vector<double>& values)>& scenario_of,
                           const std::function<void(const exploration_result&)>& told) {
  combination_trials trials(axes, goal, scenario_of);
  exploration_result found = explore(axes, goal.terms, trials.model(), told);
  trials.throw_if_all_are_left_out(found.tried);
  return found;
}

crossover_result crossover(const search_range& range, const crossover_goal& goal,
                           const std::function<scenario(double value, std::size_t variant)>& scenario_of,
                           const std::function<void(const crossover_result&)>& told) {
  scenario_trials trials(range, goal, scenario_of, {goal.policies.begin(), goal.policies.end()});
  crossover_result found = find_crossings(range, goal.terms, trials.model(), told);
  trials.throw_if_all_are_left_out(found.scanned.points);
  return found;
}

}  // namespace muster
