#include "platform/experiment/sequential_rule.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "tests/experiment/single_class.h"

namespace muster {
namespace {

using values = std::vector<seen_values>;

values all(std::size_t replications, double value) { return values(replications, {{value}}); }

TEST(sequential_rule, without_a_precision_takes_the_replications_of_the_scenario) {
  const sequential_rule rule(single_class(1, 0.5, "jobs = 100\nreplications = 3"));
  EXPECT_FALSE(rule.wants_precision());
  EXPECT_EQ(rule.first_look(), 3u);
  EXPECT_EQ(rule.look(all(3, 1.0)).next, 0u);
}

TEST(sequential_rule, looks_when_the_replications_have_grown_by_a_fifth) {
  const sequential_rule rule(single_class(1, 0.5, "jobs = 100\nreplications = 3\nprecision = 0.01"));
  std::vector<std::uint32_t> looks{rule.first_look()};
  while (looks.size() < 8) {
    values scattered;
    for (std::uint32_t r = 0; r < looks.back(); ++r) scattered.push_back({{1.0 + 10.0 * (r % 2)}});
    looks.push_back(rule.look(scattered).next);
  }
  EXPECT_EQ(looks, (std::vector<std::uint32_t>{10, 12, 15, 18, 22, 27, 33, 40}));
}

TEST(sequential_rule, ends_where_the_half_width_is_below_the_share_of_the_mean) {
  const sequential_rule rule(single_class(1, 0.5, "jobs = 100\nprecision = \"2%\""));
  values narrow;
  for (int r = 0; r < 10; ++r) narrow.push_back({{100.0 + (r % 2 ? 2.0 : -2.0)}});
  // Standard deviation 2 sqrt(10 / 9), t = 2.262157 for 9 degrees of freedom.
  const double half = 2.262157 * 2.0 / 3.0 / 100.0;
  const auto found = rule.look(narrow);
  ASSERT_EQ(found.intervals.size(), 1u);
  EXPECT_NEAR(*found.intervals[0].half_width, half, 1e-8);
  EXPECT_TRUE(found.reached);
  EXPECT_EQ(found.next, 0u);
  for (auto& v : narrow) v.values[0] = 100.0 + (*v.values[0] - 100.0) * 1.4;
  EXPECT_FALSE(rule.look(narrow).reached);
  EXPECT_EQ(rule.look(narrow).next, 12u);
}

TEST(sequential_rule, ends_at_the_most_replications) {
  const sequential_rule rule(single_class(1, 0.5, "jobs = 100\nprecision = 0.01\nmost_replications = 11"));
  values scattered;
  for (int r = 0; r < 10; ++r) scattered.push_back({{double(r)}});
  EXPECT_EQ(rule.look(scattered).next, 11u);
  scattered.push_back({{10.0}});
  EXPECT_EQ(rule.look(scattered).next, 0u);
  EXPECT_FALSE(rule.look(scattered).reached);
}

TEST(sequential_rule, ends_where_all_targets_are_reached_and_not_before) {
  const sequential_rule rule(single_class(
      1, 0.5, "jobs = 100\nprecision = [{ half_width = 0.02 }, { half_width = 0.1, metric = \"slowdown\" }]"));
  // 2.262157 * (2 sqrt(10 / 9)) / sqrt(10) = 1.508 of 100, and 15.08 of 100.
  values seen;
  for (int r = 0; r < 10; ++r) seen.push_back({{100.0 + (r % 2 ? 2.0 : -2.0), 100.0 + (r % 2 ? 20.0 : -20.0)}});
  const auto found = rule.look(seen);
  ASSERT_EQ(found.intervals.size(), 2u);
  EXPECT_TRUE(found.intervals[0].reached);
  EXPECT_FALSE(found.intervals[1].reached);
  EXPECT_FALSE(found.reached);
  EXPECT_EQ(found.next, 12u);
  EXPECT_EQ(rule.furthest(found), 1u);
  for (auto& v : seen) v.values[1] = v.values[0];
  EXPECT_TRUE(rule.look(seen).reached);
  EXPECT_EQ(rule.look(seen).next, 0u);
  EXPECT_EQ(rule.furthest(rule.look(seen)), 0u) << "1.5 of 2 % is further than of 10 %";
  for (auto& v : seen) v.values[1].reset();
  EXPECT_FALSE(rule.look(seen).reached) << "without an interval";
}

TEST(sequential_rule, goes_on_where_the_last_of_its_targets_alone_is_reached) {
  const sequential_rule rule(single_class(
      1, 0.5, "jobs = 100\nprecision = [{ half_width = 0.02 }, { half_width = 0.1, metric = \"slowdown\" }]"));
  // 15.08 of 100, and 1.508 of 100; see above.
  values seen;
  for (int r = 0; r < 10; ++r) seen.push_back({{100.0 + (r % 2 ? 20.0 : -20.0), 100.0 + (r % 2 ? 2.0 : -2.0)}});
  const auto found = rule.look(seen);
  ASSERT_EQ(found.intervals.size(), 2u);
  EXPECT_FALSE(found.intervals[0].reached);
  EXPECT_TRUE(found.intervals[1].reached);
  EXPECT_FALSE(found.reached);
  EXPECT_EQ(found.next, 12u);
  EXPECT_EQ(rule.furthest(found), 0u);
}

TEST(sequential_rule, sees_the_metrics_of_its_targets_in_their_order) {
  const sequential_rule rule(single_class(
      1, 0.5,
      "jobs = 100\nprecision = [{ half_width = 0.02, metric = \"slowdown\" }, { half_width = 0.1, class = \"job\" }]"));
  replication_result result;
  result.measurements.push_back({"all", "response_time", true, 1.0, 10, {}});
  result.measurements.push_back({"all", "slowdown", true, 2.0, 10, {}});
  result.measurements.push_back({"job", "response_time", true, 3.0, 10, {}});
  EXPECT_EQ(rule.seen_in(result).values, (std::vector<std::optional<double>>{2.0, 3.0}));
  result.measurements.pop_back();
  EXPECT_EQ(rule.seen_in(result).values, (std::vector<std::optional<double>>{2.0, {}}));
}

TEST(sequential_rule, seeks_no_precision_at_an_unstable_point) {
  const sequential_rule rule(single_class(1, 1.1, "jobs = 100\nprecision = 0.01"));
  EXPECT_TRUE(rule.hopeless());
  values scattered;
  for (int r = 0; r < 10; ++r) scattered.push_back({{double(r)}});
  EXPECT_EQ(rule.look(scattered).next, 0u);
}

TEST(sequential_rule, replications_without_a_value_do_not_narrow_the_interval) {
  const sequential_rule rule(single_class(1, 0.5, "jobs = 100\nprecision = 0.01"));
  EXPECT_FALSE(rule.look({{{std::nullopt}}, {{1.0}}, {{std::nullopt}}}).intervals[0].half_width);
  EXPECT_EQ(rule.look({{{std::nullopt}}, {{1.0}}, {{1.0}}}).intervals[0].half_width, 0.0);
}

// What the rule's documentation says of it, with needs of 5 to 160 replications.
TEST(sequential_rule, covers_the_mean_of_normal_replications_nearly_as_often_as_a_fixed_number_does) {
  const sequential_rule rule(single_class(1, 0.5, "jobs = 100\nprecision = 0.02\nmost_replications = 100000"));
  std::mt19937_64 bits(1);
  std::normal_distribution<double> normal;
  for (const double needed : {5.0, 20.0, 160.0}) {
    const double deviation = 0.02 * std::sqrt(needed) / 1.96;
    int covered = 0;
    constexpr int experiments = 4000;
    for (int e = 0; e < experiments; ++e) {
      values drawn;
      for (std::uint32_t due = rule.first_look(); due > 0; due = rule.look(drawn).next)
        while (drawn.size() < due) drawn.push_back({{1.0 + deviation * normal(bits)}});
      double mean = 0.0;
      for (const auto& v : drawn) mean += *v.values[0] / static_cast<double>(drawn.size());
      covered += std::abs(mean - 1.0) <= *rule.look(drawn).intervals[0].half_width * mean;
    }
    EXPECT_GE(covered, 0.93 * experiments) << needed;
    EXPECT_LE(covered, 0.96 * experiments) << needed;
  }
}

}  // namespace
}  // namespace muster
