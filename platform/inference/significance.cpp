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

double standard_error(double mean, double end, double freedom) {
  return std::abs(mean - end) / students_quantile(freedom, 0.975);
}

// The end of the interval that lies towards another mean. Its distance gives the standard error as if the interval were
// Student's, however far the other end is.
double end_towards(double other, const estimate& e) { return other < *e.mean ? *e.ci_low : *e.ci_high; }

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

pair_evidence evidence_of(const estimate& difference, const std::optional<double>& margin) {
  if (!difference.ci_low || difference.replications < 2) return {};
  const double mean = *difference.mean, freedom = difference.replications - 1.0;
  pair_evidence evidence{two_sided(mean, standard_error(mean, end_towards(0.0, difference), freedom), freedom), {}};
  if (!margin) return evidence;
  const double nearer = mean < 0.0 ? -*margin : *margin, inside = *margin - std::abs(mean);
  const double error = standard_error(mean, end_towards(nearer, difference), freedom);
  evidence.equal = error == 0.0 ? (inside > 0.0 ? 0.0 : 1.0) : students_tail(freedom, inside / error);
  return evidence;
}

pair_evidence evidence_of(const estimate& a, const estimate& b) {
  if (!a.ci_low || !b.ci_low) return {};
  constexpr double many = 1e6;
  const double error = std::hypot(standard_error(*a.mean, end_towards(*b.mean, a), many),
                                  standard_error(*b.mean, end_towards(*a.mean, b), many));
  return {two_sided(*a.mean - *b.mean, error, many), {}};
}

std::vector<pair_finding> findings_of(const std::vector<pair_evidence>& pairs, std::uint32_t looks) {
  constexpr double most_errors = 0.05;
  std::vector<double> known;
  for (const pair_evidence& pair : pairs)
    if (pair.apart) known.push_back(std::min(1.0, *pair.apart * looks));
  const std::vector<double> corrected = holm(known);
  std::vector<pair_finding> findings;
  auto of_pair = corrected.begin();
  for (const pair_evidence& pair : pairs) {
    const bool apart = pair.apart && *of_pair++ <= most_errors;
    const bool equal = pair.equal && *pair.equal * looks * static_cast<double>(pairs.size()) <= most_errors;
    findings.push_back(apart ? pair_finding::apart : equal ? pair_finding::equal : pair_finding::open);
  }
  return findings;
}

std::optional<double> margin_between(const estimate& a, const estimate& b, const run_spec& run) {
  if (!run.precision || !run.precision->equal_within || !a.mean || !b.mean) return std::nullopt;
  const double smaller = std::min(std::abs(*a.mean), std::abs(*b.mean));
  return smaller > 0.0 ? std::optional(*run.precision->equal_within * smaller) : std::nullopt;
}

}  // namespace muster
