#include "platform/search/bottlenecks.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "platform/metrics/estimate.h"
#include "platform/metrics/metric.h"
#include "platform/metrics/sample.h"
#include "platform/model/job_kind.h"
#include "platform/theory/pooled/pooled_stability.h"
#include "platform/theory/theory.h"

namespace muster {

namespace {

constexpr double error = 0.05;  // of all verdicts together

search_space space_of(const std::vector<hardware_change>& changes) {
  std::string listed = "unchanged";
  for (const hardware_change& c : changes) listed += "," + c.setting();
  return search_space({{"change", search_range(listed)}});
}

using effect = effect_of_change;

constexpr double rounding = 1e-9;  // relative: times are rounded to ticks

bool are_equal(double a, double b) { return std::abs(a - b) <= rounding * std::max(std::abs(a), std::abs(b)); }

// The verdict on a difference whose p-value is Holm's.
effect::verdict verdict_on(const effect& e, const std::vector<double>& unchanged, bool larger_is_better) {
  const std::vector<double>& changed = e.measured.found.front();
  if (std::equal(changed.begin(), changed.end(), unchanged.begin(), unchanged.end(), are_equal))
    return effect::verdict::none;
  if (!e.p || *e.p > error) return effect::verdict::open;
  return e.gain(larger_is_better) > 0.0 ? effect::verdict::gains : effect::verdict::loses;
}

// Holm's p-values in place of those of the differences.
void correct(std::vector<effect*>& effects) {
  std::vector<double> p;
  std::vector<effect*> judged;
  for (effect* e : effects)
    if (e->apart.p) {
      p.push_back(*e->apart.p);
      judged.push_back(e);
    }
  const std::vector<double> corrected = holm(p);
  for (std::size_t i = 0; i < judged.size(); ++i) judged[i]->p = corrected[i];
}

// The places of the effects that cannot be told apart from the one at a place.
std::vector<std::size_t> like(const std::vector<effect>& effects, std::size_t first) {
  std::vector<std::size_t> places;
  std::vector<double> p;
  const replicated_values of_first = effects[first].measured.of_first_series();
  for (std::size_t e = 0; e < effects.size(); ++e) {
    if (e == first || effects[e].answer == effect::verdict::excluded) continue;
    places.push_back(e);
    p.push_back(difference_in_pairs(of_first, effects[e].measured.of_first_series()).p.value_or(1.0));
  }
  const std::vector<double> corrected = holm(p);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (corrected[i] > error) found.push_back(places[i]);
  return found;
}

// What theory knows of pooled jobs may be a limit that the point has not reached.
std::optional<double> exact_value(const scenario& model, const metric_of_class& of) {
  if (is_pooled(model) && !departures_from_pooled_model(model).empty()) return std::nullopt;
  for (const estimate& e : known_answer(model).values)
    if (e.metric == of.metric && e.class_name == of.class_name) return e.mean;
  return std::nullopt;
}

}  // namespace

bottleneck_request::bottleneck_request(const study& s, std::vector<metric_of_class> measured,
                                       std::vector<hardware_change> possible)
    : searched_study{&s, space_of(possible), std::move(measured)},
      changes(std::move(possible)),
      goal_is_larger(find_metric(goal().metric)->better == metric_preference::larger) {}

bool bottlenecks::any_measured() const {
  return !unchanged.is_excluded() ||
         std::any_of(effects.begin(), effects.end(), [](const effect& e) { return !e.measured.is_excluded(); });
}

const effect_of_change* bottlenecks::with_other_jobs() const {
  const auto other =
      std::find_if(effects.begin(), effects.end(), [&](const effect& e) { return e.jobs && jobs && *e.jobs != *jobs; });
  return other == effects.end() ? nullptr : &*other;
}

difference difference_in_pairs(const replicated_values& first, const replicated_values& second) {
  const estimate e = estimate_of("", "", subtract(second, first), 0);
  return {*e.mean, e.ci_low, e.ci_high, evidence_of(e, std::optional<double>{}).apart};
}

ratio_estimate ratio_of(const replicated_values& values, const replicated_values& over) {
  const double below = mean_of(over.values), ratio = mean_of(values.values) / below;
  replicated_values residuals = values;
  const auto linearise = [&](std::vector<double>& of, const std::vector<double>& by) {
    for (std::size_t at = 0; at < of.size(); ++at) of[at] = (of[at] - ratio * by[at]) / below + ratio;
  };
  linearise(residuals.values, over.values);
  if (values.parts.size() == over.parts.size())
    linearise(residuals.parts, over.parts);
  else
    residuals.parts.clear();
  const estimate e = estimate_of("", "", residuals, 0);
  return {ratio, e.ci_low, e.ci_high};
}

bottlenecks judge_bottlenecks(const bottleneck_request& request, const measured_values& measured) {
  bottlenecks result;
  result.unchanged = measured.trials.front();
  result.short_windows = measured.short_windows;
  result.any_fault = measured.any_fault;
  const auto cost = std::find(request.metrics.begin() + 1, request.metrics.end(), metric_of_class{"cost"});
  const bool has_cost = cost != request.metrics.end();
  const auto series_of_cost = static_cast<std::size_t>(cost - request.metrics.begin());
  std::vector<effect*> comparable;
  result.effects.reserve(request.changes.size());
  for (std::size_t c = 0; c < request.changes.size(); ++c) {
    effect& e = result.effects.emplace_back();
    e.change = c;
    e.measured = measured.trials[c + 1];
    const bool is_measured = !e.measured.is_excluded() && e.measured.replications() > 0;
    if (is_measured && has_cost) e.cost = mean_of(e.measured.found[series_of_cost]);
    if (result.unchanged.is_excluded() || !is_measured) continue;
    const replicated_values before = result.unchanged.of_first_series(), after = e.measured.of_first_series();
    e.apart = difference_in_pairs(before, after);
    if (mean_of(before.values) != 0.0) e.relative = ratio_of(subtract(after, before), before);
    if (e.cost)
      if (const double before_it = mean_of(result.unchanged.found[series_of_cost]); !are_equal(*e.cost, before_it))
        e.price = *e.cost - before_it;
    comparable.push_back(&e);
  }
  correct(comparable);
  for (effect* e : comparable) e->answer = verdict_on(*e, result.unchanged.found.front(), request.goal_is_larger);
  std::stable_sort(result.effects.begin(), result.effects.end(), [&](const effect& a, const effect& b) {
    const bool a_out = a.answer == effect::verdict::excluded, b_out = b.answer == effect::verdict::excluded;
    if (a_out || b_out) return !a_out && b_out;
    return a.gain(request.goal_is_larger) > b.gain(request.goal_is_larger);
  });
  const auto gains = std::find_if(result.effects.begin(), result.effects.end(),
                                  [](const effect& e) { return e.answer == effect::verdict::gains; });
  if (gains != result.effects.end()) {
    result.first = static_cast<std::size_t>(gains - result.effects.begin());
    result.like_first = like(result.effects, *result.first);
  }
  for (const trial& t : measured.trials)
    result.replications = std::max(result.replications, static_cast<std::uint32_t>(t.replications()));
  return result;
}

bottlenecks find_bottlenecks(const bottleneck_request& request, const std::function<scenario(std::size_t change)>& make,
                             const std::function<void(const bottlenecks&)>& report) {
  std::vector<std::optional<double>> exact(request.changes.size() + 1);
  std::vector<std::optional<std::size_t>> jobs(exact.size());
  const auto make_and_solve = [&](const search_values& values, std::size_t) {
    const auto change = static_cast<std::size_t>(values.front());
    scenario model = make(change);
    exact[change] = exact_value(model, request.goal());
    if (model.arrivals.jobs) jobs[change] = model.arrivals.jobs->size();
    return model;
  };
  const auto judged = [&](const measured_values& measured) {
    bottlenecks result = judge_bottlenecks(request, measured);
    result.jobs = jobs.front();
    for (effect& e : result.effects) {
      e.jobs = jobs[e.change + 1];
      if (exact.front() && exact[e.change + 1]) e.exact = *exact[e.change + 1] - *exact.front();
    }
    return result;
  };
  return judged(measure_all(request, request.replications, make_and_solve,
                            [&](const measured_values& measured) { report(judged(measured)); }));
}

}  // namespace muster
