#include "platform/experiment/sequential_rule.h"

#include <algorithm>
#include <cmath>

#include "platform/results/estimate.h"
#include "platform/theory/stability.h"

namespace muster {

namespace {
constexpr std::uint32_t fewest = 10;
}  // namespace

sequential_rule::sequential_rule(const scenario& what) : wanted_(what.run.precision), first_(what.run.replications) {
  if (!wanted_) return;
  first_ = std::max(first_, fewest);
  hopeless_ = examine_stability(what).answer == stability::verdict::unstable;
}

std::optional<double> sequential_rule::value_in(const replication_result& result) const {
  if (!wanted_) return std::nullopt;
  for (const measurement& m : result.measurements)
    if (m.metric == wanted_->metric && m.class_name == wanted_->class_name)
      return m.has_value ? std::optional(m.value) : std::nullopt;
  return std::nullopt;
}

sequential_rule::finding sequential_rule::look(const std::vector<std::optional<double>>& values) const {
  finding found;
  if (!wanted_) return found;
  found.half_width = relative_half_width(values);
  found.reached = found.half_width && *found.half_width <= wanted_->half_width;
  const auto n = static_cast<std::uint32_t>(values.size());
  if (!found.reached && !hopeless_ && n < wanted_->most_replications)
    found.next = std::min(wanted_->most_replications, n + (n + 4) / 5);
  return found;
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
