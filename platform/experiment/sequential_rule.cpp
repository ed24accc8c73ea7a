#include "platform/experiment/sequential_rule.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "platform/metrics/estimate.h"
#include "platform/theory/stability.h"

namespace muster {

namespace {

// Half-width of the 95 % interval of the mean, over the mean; none with fewer than two values.
std::optional<double> relative_half_width(const std::vector<seen_values>& seen, std::size_t target) {
  metric_series series;
  std::vector<measurement> found(seen.size());
  for (std::size_t r = 0; r < seen.size(); ++r) {
    const std::optional<double>& value = seen[r].values[target];
    found[r].has_value = value.has_value();
    found[r].value = value.value_or(0.0);
    if (!seen[r].parts.empty()) found[r].parts = seen[r].parts[target];
    series.found.push_back(&found[r]);
    series.controls.push_back(&seen[r].controls);
  }
  return series.to_estimate().relative_half_width();
}

}  // namespace

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
  seen.controls = result.controls;
  for (const precision_target& t : wanted_->targets) {
    const measurement* found = result.find(t.class_name, t.metric);
    seen.values.push_back(!found ? std::nullopt : batch_means_ ? found->relative_half_width() : found->value_if_any());
    seen.parts.push_back(found ? found->parts : std::vector<double>{});
  }
  return seen;
}

sequential_rule::finding sequential_rule::look(const std::vector<seen_values>& seen) const {
  finding found;
  if (!wanted_) return found;
  found.reached = true;
  for (std::size_t target = 0; target < wanted_->targets.size(); ++target) {
    interval at;
    at.half_width = batch_means_ ? seen.back().values[target] : relative_half_width(seen, target);
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

}  // namespace muster
