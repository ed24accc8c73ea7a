#include "platform/metrics/batch_series.h"

#include <cmath>

#include "platform/metrics/sample.h"

namespace muster {

std::optional<double> overlapping_batch_means(const std::vector<double>& means) {
  constexpr std::size_t batches = 20;
  const std::size_t n = means.size(), length = n / batches;
  if (length < 2) return std::nullopt;
  const double mean = mean_of(means);
  std::vector<double> sums(n + 1, 0.0);  // sums of the deviations from the mean
  for (std::size_t i = 0; i < n; ++i) sums[i + 1] = sums[i] + (means[i] - mean);
  double squares = 0.0;
  for (std::size_t begin = 0; begin + length <= n; ++begin) {
    const double off = (sums[begin + length] - sums[begin]) / static_cast<double>(length);
    squares += off * off;
  }
  const auto length_of_all = static_cast<double>(n), length_of_one = static_cast<double>(length);
  const double variance =
      squares * length_of_one / ((length_of_all - length_of_one) * (length_of_all - length_of_one + 1.0));
  const double freedom = 1.5 * (length_of_all / length_of_one - 1.0);
  return students_quantile(freedom, 0.975) * std::sqrt(variance);
}

}  // namespace muster
