#include "platform/inference/significance.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "platform/metrics/sample.h"

namespace muster {

namespace {

// The variance of the mean.
double variance_of_mean(const std::vector<double>& values) {
  return variance_of(values) / static_cast<double>(values.size());
}

difference judge(double mean, double variance, double degrees_of_freedom) {
  const double error = std::sqrt(variance), p = two_sided(mean, error, degrees_of_freedom);
  const double half = error == 0.0 ? 0.0 : students_quantile(degrees_of_freedom, 0.975) * error;
  return {mean, mean - half, mean + half, p};
}

}  // namespace

difference students_difference(const std::vector<double>& first, const std::vector<double>& second) {
  std::vector<double> apart(first.size());
  std::transform(second.begin(), second.end(), first.begin(), apart.begin(), std::minus<>());
  if (apart.size() < 2) return {apart.front(), {}, {}, {}};
  return judge(mean_of(apart), variance_of_mean(apart), static_cast<double>(apart.size()) - 1.0);
}

difference welch_difference(const std::vector<double>& first, const std::vector<double>& second) {
  const double mean = mean_of(second) - mean_of(first);
  if (first.size() < 2 || second.size() < 2) return {mean, {}, {}, {}};
  const double a = variance_of_mean(first), b = variance_of_mean(second);
  // The degrees of freedom are those of Welch and Satterthwaite; without any variance judge() does not need them.
  const double freedom =
      (a + b) * (a + b) /
      (a * a / static_cast<double>(first.size() - 1) + b * b / static_cast<double>(second.size() - 1));
  return judge(mean, a + b, freedom);
}

double two_sided(double mean, double standard_error, double degrees_of_freedom) {
  if (standard_error == 0.0) return mean == 0.0 ? 1.0 : 0.0;
  return 2.0 * students_tail(degrees_of_freedom, std::abs(mean) / standard_error);
}

std::vector<double> holm(const std::vector<double>& p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> adjusted(p.size());
  double most = 0.0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    most = std::max(most, std::min(1.0, static_cast<double>(p.size() - i) * p[order[i]]));
    adjusted[order[i]] = most;
  }
  return adjusted;
}

}  // namespace muster
