#include "platform/inference/crossing_interval.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "platform/metrics/sample.h"

namespace muster {

namespace {

double mean_difference(const differences_at& node) { return mean_of(node.values); }

// The covariance of the means.
double covariance(const differences_at& a, const differences_at& b) {
  return covariance_of(a.values, b.values) / static_cast<double>(a.values.size());
}

/// The real roots of a x^2 + b x + c.
std::vector<double> roots_of(double a, double b, double c) {
  if (a == 0.0) return b == 0.0 ? std::vector<double>{} : std::vector<double>{-c / b};
  const double discriminant = b * b - 4.0 * a * c;
  if (discriminant < 0.0) return {};
  const double q = -0.5 * (b + std::copysign(std::sqrt(discriminant), b));
  return q == 0.0 ? std::vector<double>{0.0} : std::vector<double>{q / a, c / q};
}

/// Adds the places from a to b between which, or at which, the expectation may be zero.
void add_bounds(const differences_at& a, const differences_at& b, double t, std::vector<double>& bounds) {
  const auto add = [&](double share) { bounds.push_back(a.place + share * (b.place - a.place)); };
  const double m = mean_difference(a), step = mean_difference(b) - m;
  const double v = covariance(a, a), rise = covariance(a, b) - v, spread = covariance(b, b) - v - 2.0 * rise;
  // mean(share)^2 - t^2 variance(share) <= 0
  const double square = step * step - t * t * spread, linear = 2.0 * (m * step - t * t * rise),
               constant = m * m - t * t * v;
  if (constant <= 0.0) add(0.0);
  if (square + linear + constant <= 0.0) add(1.0);
  for (const double share : roots_of(square, linear, constant))
    if (share > 0.0 && share < 1.0) add(share);
}

std::vector<double> zeros_of_mean(const std::vector<differences_at>& nodes) {
  std::vector<double> zeros;
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    const double a = mean_difference(nodes[i]), b = mean_difference(nodes[i + 1]);
    if (a == 0.0) zeros.push_back(nodes[i].place);
    if (a * b < 0.0) zeros.push_back(nodes[i].place + a / (a - b) * (nodes[i + 1].place - nodes[i].place));
  }
  if (mean_difference(nodes.back()) == 0.0) zeros.push_back(nodes.back().place);
  return zeros;
}

double least_in_size(const std::vector<differences_at>& nodes) {
  return std::min_element(nodes.begin(), nodes.end(),
                          [](const differences_at& a, const differences_at& b) {
                            return std::abs(mean_difference(a)) < std::abs(mean_difference(b));
                          })
      ->place;
}

}  // namespace

crossing_interval crossing_of(const std::vector<differences_at>& nodes, double confidence) {
  const double t = students_quantile(static_cast<double>(nodes.front().values.size()) - 1.0, 0.5 + confidence / 2.0);
  std::vector<double> zeros = zeros_of_mean(nodes);
  if (zeros.empty()) zeros.push_back(least_in_size(nodes));
  std::vector<double> bounds = zeros;
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) add_bounds(nodes[i], nodes[i + 1], t, bounds);
  const auto [low, high] = std::minmax_element(bounds.begin(), bounds.end());
  const double middle = (*low + *high) / 2.0;
  const double nearest = *std::min_element(
      zeros.begin(), zeros.end(), [&](double a, double b) { return std::abs(a - middle) < std::abs(b - middle); });
  return {nearest, *low, *high};
}

}  // namespace muster
