#include "platform/search/deciding_budget.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "platform/metrics/sample.h"

namespace muster {

namespace {

constexpr std::uint32_t most_replications = 10'000;

// With which a bound is told to be met or violated, the half-widths shrinking by the root of their number.
std::optional<std::uint32_t> replications_for(double bound, const std::vector<double>& values, double alpha) {
  const double apart = std::abs(mean_of(values) - bound), deviation = std::sqrt(variance_of(values));
  const auto suffices = [&](double n) {
    return students_quantile(n - 1.0, 1.0 - alpha) * deviation / std::sqrt(n) <= apart;
  };
  for (double n = static_cast<double>(values.size()); n <= most_replications; n = std::ceil(n * 1.2))
    if (suffices(n)) return static_cast<std::uint32_t>(n);
  return std::nullopt;
}

std::optional<std::uint32_t> replications_for(const trial& c, const search_terms& terms, double alpha) {
  std::uint32_t most = 0;
  for (std::size_t k = 0; k < c.meets.size(); ++k) {
    if (c.meets[k] != 0) continue;
    const search_constraint& bound = terms.constraints[k];
    const auto n = replications_for(bound.bound, c.found[bound.series], alpha);
    if (!n) return std::nullopt;
    most = std::max(most, *n);
  }
  return most;
}

}  // namespace

deciding_budget budget_to_decide(const search_result& found, const search_terms& terms) {
  deciding_budget all{0, 0, terms.replications, found.spent};
  const double alpha = found.error_of_a_statement();
  const auto is_open = [](const trial& c) { return c.is_left() && !c.meets_all() && c.replications() > 1; };
  for (const trial& c : found.tried) {
    if (!is_open(c)) continue;
    ++all.open;
    const auto n = replications_for(c, terms, alpha);
    if (!n) continue;
    ++all.decided;
    all.replications = std::max(all.replications, *n);
  }
  for (const trial& c : found.tried)
    if (c.is_left() && c.replications() < all.replications) all.budget += all.replications - c.replications();
  return all;
}

}  // namespace muster
