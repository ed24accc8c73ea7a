#include "platform/metrics/mser.h"

#include <limits>

namespace muster {

std::size_t mser(const std::vector<double>& values) {
  const std::size_t n = values.size();
  // Mean and sum of squared deviations of the values kept, from the last value backwards (Welford, 1962).
  double mean = 0.0, squares = 0.0, least = std::numeric_limits<double>::infinity();
  std::size_t best = 0;
  for (std::size_t d = n; d-- > 0;) {
    const auto left = static_cast<double>(n - d);
    const double off = values[d] - mean;
    mean += off / left;
    squares += off * (values[d] - mean);
    if ((n - d) * 10 < n) continue;
    if (const double error = squares / (left * left); error <= least) {
      least = error;
      best = d;
    }
  }
  return best;
}

}  // namespace muster
