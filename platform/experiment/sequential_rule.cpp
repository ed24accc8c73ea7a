#include "platform/experiment/sequential_rule.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "platform/metrics/estimate.h"
#include "platform/theory/stability.h"

namespace muster {

sequential_rule::sequential_rule(const scenario& what)
    : wanted_(what.run.precision), first_(what.run.replications), batch_means_(what.run.batch_means) {
  if (!wanted_) return;
  constexpr std::uint32_t fewest = 10;
  if (!batch_means_) first_ = std::max(first_, fewest);
  hopeless_ = examine_stability(what).answer == stability::verdict::unstable;
}

seen_values sequential_rule::seen_in(const replication_result& result) const {
  seen_values seen;
  if (!wanted_) return seen;
  for (const precision_target& t : wanted_->targets) {
    const measurement* found = result.find(t.class_name, t.metric);
    seen.push_back(!found ? std::nullopt : batch_means_ ? found->relative_half_width() : found->value_if_any());
  }
  return seen;
}

sequential_rule::finding sequential_rule::look(const std::vector<seen_values>& seen) const {
  finding found;
  if (!wanted_) return found;
  found.reached = true;
  for (std::size_t target = 0; target < wanted_->targets.size(); ++target) {
    std::vector<std::optional<double>> values;
    values.reserve(seen.size());
    for (const seen_values& of_replication : seen) values.push_back(of_replication[target]);
    interval at;
    at.half_width = batch_means_ ? values.back() : relative_half_width(values);
    at.reached = at.half_width && *at.half_width <= wanted_->targets[target].half_width;
    found.reached = found.reached && at.reached;
    found.intervals.push_back(at);
  }
  const auto n = static_cast<std::uint32_t>(seen.size());
  if (!found.reached && !hopeless_ && !batch_means_ && n < wanted_->most_replications)
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

std::optional<double> relative_half_width(const std::vector<std::optional<double>>& values) {
  std::vector<double> present;
  for (const std::optional<double>& v : values)
    if (v) present.push_back(*v);
  const estimate e = estimate_of("", "", present, 0);
  if (!e.ci_high) return std::nullopt;
  const double half = *e.ci_high - *e.mean;
  return half == 0.0 ? 0.0 : half / std::abs(*e.mean);
}

}  // namespace muster
