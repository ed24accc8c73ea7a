#include "platform/experiment/sequential_rule.h"

#include <algorithm>
#include <cmath>

#include "platform/results/estimate.h"
#include "platform/theory/stability.h"

namespace muster {

namespace {
constexpr std::uint32_t fewest = 10;
}  // namespace

sequential_rule::sequential_rule(const scenario& what)
    : wanted_(what.run.precision), first_(what.run.replications), batch_means_(what.run.batch_means) {
  if (!wanted_) return;
  if (!batch_means_) first_ = std::max(first_, fewest);
  hopeless_ = examine_stability(what).answer == stability::verdict::unstable;
}

std::optional<double> sequential_rule::seen_in(const replication_result& result) const {
  if (!wanted_) return std::nullopt;
  for (const measurement& m : result.measurements)
    if (m.metric == wanted_->metric && m.class_name == wanted_->class_name) return seen_in(m);
  return std::nullopt;
}

std::optional<double> sequential_rule::seen_in(const measurement& wanted) const {
  return batch_means_ ? wanted.relative_half_width() : wanted.has_value ? std::optional(wanted.value) : std::nullopt;
}

sequential_rule::finding sequential_rule::look(const std::vector<std::optional<double>>& seen) const {
  finding found;
  if (!wanted_) return found;
  found.half_width = batch_means_ ? seen.back() : relative_half_width(seen);
  found.reached = found.half_width && *found.half_width <= wanted_->half_width;
  const auto n = static_cast<std::uint32_t>(seen.size());
  if (!found.reached && !hopeless_ && !batch_means_ && n < wanted_->most_replications)
    found.next = precision_spec::next_look(n, wanted_->most_replications);
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
