#include "platform/inference/crossing_interval.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>
#include <boost/math/distributions/students_t.hpp>

#include "platform/random/random_stream.h"

namespace muster {
namespace {

/// Differences of n replications whose expectation is `truth`: noise that a replication has at all places alike, and
/// some at each place.
std::vector<differences_at> sample(const std::vector<double>& places, double (*truth)(double), std::size_t n,
                                   double shared, double own, std::uint64_t seed) {
  random_stream numbers(seed, 0, "test", "differences");
  std::normal_distribution<double> normal;
  std::vector<differences_at> nodes;
  for (const double place : places) nodes.push_back({place, {}});
  for (std::size_t r = 0; r < n; ++r) {
    const double common = shared * normal(numbers);
    for (differences_at& node : nodes) node.values.push_back(truth(node.place) + common + own * normal(numbers));
  }
  return nodes;
}

double straight(double x) { return 2.0 * (x - 0.4); }

// At every place of a fine grid: interpolate each replication, take t, ask whether it is rejected.
std::pair<double, double> not_rejected(const std::vector<differences_at>& nodes, double step) {
  const std::size_t n = nodes.front().values.size();
  const double quantile = boost::math::quantile(boost::math::students_t(static_cast<double>(n) - 1.0), 0.975);
  double low = 1e9, high = -1e9;
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i)
    for (double x = nodes[i].place; x <= nodes[i + 1].place; x += step) {
      const double share = (x - nodes[i].place) / (nodes[i + 1].place - nodes[i].place);
      double sum = 0.0, squares = 0.0;
      for (std::size_t r = 0; r < n; ++r) {
        const double d = (1.0 - share) * nodes[i].values[r] + share * nodes[i + 1].values[r];
        sum += d;
        squares += d * d;
      }
      const double mean = sum / static_cast<double>(n);
      const double variance = (squares - sum * mean) / static_cast<double>(n - 1);
      if (std::abs(mean) > quantile * std::sqrt(variance / static_cast<double>(n))) continue;
      low = std::min(low, x);
      high = std::max(high, x);
    }
  return {low, high};
}

TEST(crossing_interval, spans_the_places_that_a_paired_t_test_does_not_reject) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const bool wide = seed % 2 == 0;  // as noisy as the slope: the interval may reach the ends
    const auto nodes = sample({0.0, 0.25, 0.5, 1.0}, straight, 6, wide ? 0.5 : 0.2, wide ? 0.5 : 0.1, seed);
    const crossing_interval found = crossing_of(nodes);
    const auto [low, high] = not_rejected(nodes, 1e-4);
    if (low > high) continue;
    EXPECT_NEAR(found.low, low, 3e-4) << seed;
    EXPECT_NEAR(found.high, high, 3e-4) << seed;
    EXPECT_LE(found.low, found.estimate);
    EXPECT_LE(found.estimate, found.high);
  }
}

TEST(crossing_interval, of_differences_that_do_not_vary_is_the_zero_itself) {
  const crossing_interval found = crossing_of({{1.0, {-3.0, -3.0, -3.0}}, {2.0, {1.0, 1.0, 1.0}}});
  EXPECT_NEAR(found.estimate, 1.75, 1e-12);
  EXPECT_NEAR(found.low, 1.75, 1e-7);
  EXPECT_NEAR(found.high, 1.75, 1e-7);
}

TEST(crossing_interval, without_a_change_of_sign_is_around_the_least_difference) {
  const crossing_interval far = crossing_of({{1.0, {5.0, 5.1}}, {2.0, {3.0, 3.01}}, {3.0, {4.0, 4.1}}});
  EXPECT_EQ(far.estimate, 2.0);
  EXPECT_EQ(far.low, 2.0);
  EXPECT_EQ(far.high, 2.0);
}

// 4000 experiments of normal differences with the zero between two places: the standard error of the share is 0.35 %.
TEST(crossing_interval, covers_the_zero_in_95_of_100_cases) {
  for (const double own : {0.0, 0.3}) {
    int covered = 0;
    for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
      const crossing_interval found = crossing_of(sample({0.0, 0.3, 0.6, 1.0}, straight, 7, 0.3, own, seed));
      covered += found.low <= 0.4 && 0.4 <= found.high;
    }
    EXPECT_NEAR(covered / 4000.0, 0.95, 4 * 0.0035) << own;
  }
}

}  // namespace
}  // namespace muster
