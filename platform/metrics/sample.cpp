#include "platform/metrics/sample.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <boost/math/distributions/students_t.hpp>

namespace muster {

namespace {

// The skewness of a sample, from unbiased moments; 0 where all values are equal.
double skewness_of(const std::vector<double>& values) {
  const double mean = mean_of(values), variance = variance_of(values);
  if (variance <= 0.0) return 0.0;
  double cubes = 0.0;
  for (const double v : values) cubes += (v - mean) * (v - mean) * (v - mean);
  const auto n = static_cast<double>(values.size());
  return cubes * n / ((n - 1.0) * (n - 2.0)) / std::pow(variance, 1.5);
}

// The transformation of Willink (2005), equation 8. @param a skewness of the mean, over 6
double transformed(double t, double a) {
  if (std::abs(a) < 1e-9) return t;
  return (std::cbrt(1.0 + 6.0 * a * (t - a)) - 1.0) / (2.0 * a);
}

}  // namespace

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double covariance_of(const std::vector<double>& a, const std::vector<double>& b) {
  const double mean_a = mean_of(a), mean_b = mean_of(b);
  double products = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) products += (a[i] - mean_a) * (b[i] - mean_b);
  return products / (static_cast<double>(a.size()) - 1.0);
}

double students_quantile(double degrees_of_freedom, double probability) {
  return boost::math::quantile(boost::math::students_t(degrees_of_freedom), probability);
}

double students_tail(double degrees_of_freedom, double t) {
  return cdf(complement(boost::math::students_t(degrees_of_freedom), t));
}

mean_interval students_interval(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  const double mean = mean_of(values);
  const double half = students_quantile(n - 1.0, 0.975) * std::sqrt(variance_of(values) / n);
  return {mean - half, mean + half};
}

mean_interval skewed_interval(const std::vector<double>& values, const std::vector<double>& parts, std::size_t fitted) {
  const auto n = static_cast<double>(values.size()), all_parts = static_cast<double>(parts.size());
  const double unseen = std::min(2.5, 1.4 * std::sqrt(n / 10.0));
  const double freedom = (all_parts - 1.0 - static_cast<double>(fitted)) / (all_parts - 1.0);
  const double mean = mean_of(values), error = std::sqrt(variance_of(values) / freedom / n);
  const double t = students_quantile(n - 1.0 - static_cast<double>(fitted), 0.975);
  const double a = unseen * skewness_of(parts) / (6.0 * std::sqrt(all_parts));
  return {mean - error * std::max(t, transformed(t, a)), mean + error * std::max(t, -transformed(-t, a))};
}

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
