#include "platform/experiment/comparison_rule.h"

#include <algorithm>
#include <list>

#include "platform/inference/judge.h"
#include "platform/inference/significance.h"
#include "platform/metrics/estimate.h"
#include "platform/model/study_families.h"

namespace muster {

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
