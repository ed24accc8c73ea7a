#include "platform/inference/significance.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace muster {
namespace {

constexpr double pi = 3.14159265358979323846;

// Student's t with 1 and 2 degrees of freedom has closed forms: probability beyond t, both sides.
double beyond_1(double t) { return 1.0 - 2.0 / pi * std::atan(t); }
double beyond_2(double t) { return 1.0 - t / std::sqrt(t * t + 2.0); }

TEST(significance, paired_difference_is_students_t_of_the_differences) {
  const difference d = students_difference({1.0, 2.0, 3.0}, {2.0, 4.0, 6.0});
  EXPECT_DOUBLE_EQ(d.mean, 2.0);
  const double deviation = 1.0 / std::sqrt(3.0);
  EXPECT_NEAR(*d.p, beyond_2(2.0 / deviation), 1e-12);
  const double t = 0.95 * std::sqrt(2.0 / (1.0 - 0.95 * 0.95));
  EXPECT_NEAR(*d.ci_high - d.mean, t * deviation, 1e-12);
  EXPECT_NEAR(d.mean - *d.ci_low, t * deviation, 1e-12);
}

TEST(significance, welch_difference_takes_the_degrees_of_freedom_from_the_variances) {
  const difference like = welch_difference({0.0, 2.0}, {4.0, 6.0});  // both means have variance 1: two degrees
  EXPECT_DOUBLE_EQ(like.mean, 4.0);
  EXPECT_NEAR(*like.p, beyond_2(4.0 / std::sqrt(2.0)), 1e-12);
  const difference unlike = welch_difference({1.0, 1.0, 1.0}, {4.0, 6.0});  // all variance on one side: one degree
  EXPECT_NEAR(*unlike.p, beyond_1(4.0), 1e-12);
  EXPECT_NEAR(*unlike.ci_high - unlike.mean, std::tan(0.475 * pi), 1e-9);
}

TEST(significance, values_that_do_not_vary_leave_nothing_to_chance) {
  EXPECT_EQ(students_difference({1.0, 5.0}, {1.0, 5.0}).p, 1.0);
  EXPECT_EQ(students_difference({1.0, 5.0}, {2.0, 6.0}).p, 0.0);
  EXPECT_EQ(welch_difference({3.0, 3.0}, {3.0, 3.0, 3.0}).p, 1.0);
  const difference apart = welch_difference({3.0, 3.0}, {4.0, 4.0});
  EXPECT_EQ(apart.p, 0.0);
  EXPECT_EQ(apart.ci_low, 1.0);
  EXPECT_EQ(apart.ci_high, 1.0);
}

TEST(significance, too_few_values_give_a_difference_and_no_judgement) {
  const difference pair = students_difference({1.0}, {3.0});
  EXPECT_EQ(pair.mean, 2.0);
  EXPECT_FALSE(pair.p || pair.ci_low || pair.ci_high);
  const difference welch = welch_difference({1.0}, {3.0, 5.0});
  EXPECT_EQ(welch.mean, 3.0);
  EXPECT_FALSE(welch.p || welch.ci_low || welch.ci_high);
}

TEST(significance, holm_multiplies_the_smallest_by_all_and_never_decreases) {
  const auto adjusted = holm({0.01, 0.04, 0.03, 0.005, 0.9});
  const double expected[] = {0.04, 0.09, 0.09, 0.025, 0.9};  // 0.01 * 4, 0.09 of 0.03 * 3, .., 0.005 * 5, 0.9
  for (std::size_t i = 0; i < adjusted.size(); ++i) EXPECT_NEAR(adjusted[i], expected[i], 1e-15) << i;
  EXPECT_EQ(holm({0.7, 0.8}), (std::vector<double>{1.0, 1.0}));
  EXPECT_TRUE(holm({}).empty());
}

/// Of 400 comparisons of 20 metrics over 10 replications, all of equal expectation, how many find any difference.
int false_alarms(bool paired, std::uint64_t seed) {
  std::mt19937_64 bits(seed);
  std::normal_distribution<double> normal;
  int alarms = 0;
  for (int comparison = 0; comparison < 400; ++comparison) {
    std::vector<double> p;
    for (int metric = 0; metric < 20; ++metric) {
      std::vector<double> a, b;
      for (int r = 0; r < 10; ++r) {
        const double shared = paired ? 5.0 * normal(bits) : 0.0;
        a.push_back(10.0 + shared + normal(bits));
        b.push_back(10.0 + shared + (paired ? 1.0 : 3.0) * normal(bits));
      }
      p.push_back(*(paired ? students_difference(a, b) : welch_difference(a, b)).p);
    }
    const auto adjusted = holm(p);
    if (*std::min_element(adjusted.begin(), adjusted.end()) <= 0.05) ++alarms;
  }
  return alarms;
}

// Independent metrics: any is found with probability 1 - (1 - 0.05 / 20)^20 = 0.0488. Of 400, less than 6 or more than
// 37 have a probability below 1 in 10,000 (binomial).
TEST(significance, equal_experiments_differ_in_any_metric_about_once_in_twenty) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    EXPECT_NEAR(false_alarms(true, seed), 21, 16) << seed;
    EXPECT_NEAR(false_alarms(false, seed), 21, 16) << seed;
  }
}

}  // namespace
}  // namespace muster
