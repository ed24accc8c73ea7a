#include "platform/experiment/stopping_rules.h"

#include <algorithm>
#include <limits>
#include <list>

#include "platform/inference/judge.h"
#include "platform/inference/significance.h"
#include "platform/metrics/estimate.h"
#include "platform/metrics/metric.h"
#include "platform/model/study_families.h"

namespace muster {

sequential_rule::sequential_rule(const scenario& model, const stability& known)
    : wanted_(model.run.precision), first_(model.run.first_look()), batch_means_(model.run.batch_means) {
  if (!wanted_) return;
  looked_at_.assign(wanted_->targets.begin(), wanted_->targets.end());
  if (wanted_->equal_within)
    for (const metric_of_class& of : judged_metrics(model)) looked_at_.push_back(of);
  window_.emplace(model, known);
  hopeless_ = known.answer == stability::verdict::unstable;
}

replication_result sequential_rule::seen_in(const replication_result& result) const {
  replication_result seen;
  if (!wanted_) return seen;
  const auto is_looked_at = [&](const measurement& m) {
    return std::any_of(looked_at_.begin(), looked_at_.end(), [&](const metric_of_class& of) {
      const metric_entry* const entry = find_metric(of.metric);
      return of.class_name == m.class_name && (of.metric == m.metric || (entry && entry->denominator == m.metric));
    });
  };
  for (const measurement& m : result.measurements)
    if (shares_control_variates(m.metric) || (m.metric == "throughput" && m.class_name == "all") || is_looked_at(m))
      seen.measurements.push_back(m);
  seen.controls = result.controls;
  return seen;
}

sequential_rule::finding sequential_rule::look(const std::vector<replication_result>& seen) const {
  finding found;
  if (!wanted_) return found;
  found.reached = true;
  const measured_point all(seen);
  for (const precision_target& wanted : wanted_->targets) {
    interval at;
    if (batch_means_) {
      const measurement* last = seen.back().find(wanted.class_name, wanted.metric);
      at.half_width = last ? last->relative_half_width() : std::nullopt;
    } else if (const metric_series* series = all.find(wanted.class_name, wanted.metric)) {
      at.half_width = series->to_estimate().relative_half_width();
    }
    at.reached = at.half_width && *at.half_width <= wanted.half_width;
    found.reached = found.reached && at.reached;
    found.intervals.push_back(at);
  }
  found.overloaded = std::any_of(seen.begin(), seen.end(), [](const replication_result& r) { return r.overloaded(); });
  found.is_short = window_->seen_in(all).is_short() || window_->is_growing(all);
  const bool narrow = found.reached;
  // Whatever further replications find: they make an interval narrower, and a window no longer.
  const bool ends = found.overloaded || hopeless_ || window_->is_short() || (narrow && found.is_short);
  found.reached = narrow && !found.overloaded && !found.is_short;
  const auto n = static_cast<std::uint32_t>(seen.size());
  if (!found.reached && !ends && !batch_means_ && n < wanted_->most_replications)
    found.next = precision_spec::next_look(n, wanted_->most_replications);
  return found;
}

std::size_t sequential_rule::furthest(const finding& found) const {
  const auto way = [&](std::size_t target) {
    const std::optional<double>& half = found.intervals[target].half_width;
    return half ? *half / wanted_->targets[target].half_width : std::numeric_limits<double>::infinity();
  };
  std::size_t furthest = 0;
  for (std::size_t target = 1; target < found.intervals.size(); ++target)
    if (way(target) > way(furthest)) furthest = target;
  return furthest;
}

comparison_rule::comparison_rule(const scenario& model, std::size_t policies) : run_(model.run), policies_(policies) {
  if (is_wanted()) metrics_ = judged_metrics(model);
}

std::vector<bool> comparison_rule::undecided(const std::vector<const std::vector<replication_result>*>& seen) const {
  std::vector<bool> open(seen.size(), false);
  std::list<measured_point> policies;
  std::vector<const measured_point*> of;
  of.reserve(seen.size());
  for (const std::vector<replication_result>* replications : seen) of.push_back(&policies.emplace_back(*replications));
  std::vector<std::size_t> all(seen.size());
  for (std::size_t p = 0; p < all.size(); ++p) all[p] = p;
  const auto pairs = pairs_within(all);
  for (const metric_of_class& metric : metrics_) {
    std::vector<pair_evidence> evidence;
    std::vector<bool> sound;
    for (const auto& [a, b] : pairs) {
      const metric_series* of_a = of[a]->find(metric.class_name, metric.metric);
      const metric_series* of_b = of[b]->find(metric.class_name, metric.metric);
      sound.push_back(of_a && of_b);
      evidence.push_back({});
      if (!sound.back()) continue;
      const estimate between = difference_of(*of_a, *of_b);
      sound.back() = !between.marks.has(caution::biased) && !between.marks.without_limit();
      evidence.back() = evidence_of(between, margin_between(of_a->to_estimate(), of_b->to_estimate(), run_));
    }
    evidence.resize(std::max(evidence.size(), policies_ * (policies_ - 1) / 2), {0.0, {}});  // the unstable differ
    const std::vector<pair_finding> findings = findings_of(evidence, run_.looks_at_policies());
    for (std::size_t p = 0; p < pairs.size(); ++p)
      if (sound[p] && findings[p] == pair_finding::open) open[pairs[p].first] = open[pairs[p].second] = true;
  }
  return open;
}

}  // namespace muster
