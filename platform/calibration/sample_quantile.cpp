#include "platform/calibration/sample_quantile.h"

#include <algorithm>
#include <cmath>

namespace muster {

// W. J. Conover, Practical Nonparametric Statistics, 3rd edition, Section 3.2: the ranks by the normal approximation.
sample_quantile quantile_of(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  const auto at_rank = [&](double rank) { return values[static_cast<std::size_t>(rank) - 1]; };
  sample_quantile quantile;
  quantile.observations = values.size();
  quantile.value = at_rank(std::clamp(std::ceil(n * share), 1.0, n));
  const double half = 1.959964 * std::sqrt(n * share * (1.0 - share));
  const double low = std::ceil(n * share - half), high = std::ceil(n * share + half);
  if (low >= 1.0) quantile.low = at_rank(low);
  if (high <= n) quantile.high = at_rank(high);
  return quantile;
}

}  // namespace muster
