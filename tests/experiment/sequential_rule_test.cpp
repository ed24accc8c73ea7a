#include "platform/experiment/stopping_rules.h"

#include <cmath>
#include <initializer_list>
#include <optional>
#include <random>

#include <gtest/gtest.h>

#include "tests/experiment/single_class.h"

namespace muster {
namespace {

using values = std::vector<replication_result>;

const char* const metrics[] = {"response_time", "slowdown"};

/// A replication that has found these values of the two metrics.
replication_result found(std::initializer_list<std::optional<double>> of_metrics) {
  replication_result r;
  const char* const* metric = metrics;
  for (const std::optional<double>& value : of_metrics) {
    if (value) r.measurements.push_back({"all", *metric, true, *value, 10, {}});
    ++metric;
  }
  return r;
}

double& value_in(replication_result& r, std::size_t metric) { return r.measurements[metric].value; }

values all(std::size_t replications, double value) { return values(replications, found({value})); }

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
    for (std::uint32_t r = 0; r < looks.back(); ++r) scattered.push_back(found({1.0 + 10.0 * (r % 2)}));
    looks.push_back(rule.look(scattered).next);
  }
  EXPECT_EQ(looks, (std::vector<std::uint32_t>{10, 12, 15, 18, 22, 27, 33, 40}));
}

TEST(sequential_rule, ends_with_the_first_look_at_an_overloaded_replication_and_has_not_reached_anything) {
  const sequential_rule rule(single_class(1, 0.5, "jobs = 100\nprecision = \"2%\""));
  values equal = all(10, 1.0);
  EXPECT_TRUE(rule.look(equal).reached);
  equal[7].measurements.front().marks.add(caution::overloaded);
  const auto looked = rule.look(equal);
  EXPECT_FALSE(looked.reached);
  EXPECT_TRUE(looked.overloaded);
  EXPECT_EQ(looked.next, 0u);
}

TEST(sequential_rule, reaches_nothing_in_windows_that_are_too_short_for_the_load) {
  const sequential_rule rule(single_class(1, 0.98, "jobs = 2000\nprecision = 0.5"));
  const auto looked = rule.look(all(10, 1.0));
  EXPECT_TRUE(looked.is_short);
  EXPECT_FALSE(looked.reached);
  EXPECT_EQ(looked.next, 0u) << "more replications are as short";
}

// What replications beyond a precision would tell of a short window is nothing new.
TEST(sequential_rule, ends_where_the_half_width_is_reached_in_windows_whose_parts_depend_on_each_other) {
  const sequential_rule rule(single_class(1, 0.5, "jobs = 10000\nprecision = \"2%\""));
  values dependent;
  for (int r = 0; r < 10; ++r) {
    dependent.push_back(found({100.0}));
    const double level = r % 2 ? 0.1 : -0.1;
    dependent.back().measurements.front().value += level;
    dependent.back().measurements.front().parts.assign(8, 100.0 + level);
  }
  const auto looked = rule.look(dependent);
  EXPECT_TRUE(looked.is_short);
  EXPECT_FALSE(looked.reached);
  EXPECT_EQ(looked.next, 0u);
}

TEST(sequential_rule, ends_where_the_half_width_is_below_the_share_of_the_mean) {
  const sequential_rule rule(single_class(1, 0.5, "jobs = 100\nprecision = \"2%\""));
  values narrow;
  for (int r = 0; r < 10; ++r) narrow.push_back(found({100.0 + (r % 2 ? 2.0 : -2.0)}));
  // Standard deviation 2 sqrt(10 / 9), t = 2.262157 for 9 degrees of freedom.
  const double half = 2.262157 * 2.0 / 3.0 / 100.0;
  const auto looked = rule.look(narrow);
  ASSERT_EQ(looked.intervals.size(), 1u);
  EXPECT_NEAR(*looked.intervals[0].half_width, half, 1e-8);
  EXPECT_TRUE(looked.reached);
  EXPECT_EQ(looked.next, 0u);
  for (auto& v : narrow) value_in(v, 0) = 100.0 + (value_in(v, 0) - 100.0) * 1.4;
  EXPECT_FALSE(rule.look(narrow).reached);
  EXPECT_EQ(rule.look(narrow).next, 12u);
}

TEST(sequential_rule, ends_at_the_most_replications) {
  const sequential_rule rule(single_class(1, 0.5, "jobs = 100\nprecision = 0.01\nmost_replications = 11"));
  values scattered;
  for (int r = 0; r < 10; ++r) scattered.push_back(found({double(r)}));
  EXPECT_EQ(rule.look(scattered).next, 11u);
  scattered.push_back(found({10.0}));
  EXPECT_EQ(rule.look(scattered).next, 0u);
  EXPECT_FALSE(rule.look(scattered).reached);
}

TEST(sequential_rule, ends_where_all_targets_are_reached_and_not_before) {
  const sequential_rule rule(single_class(
      1, 0.5, "jobs = 100\nprecision = [{ half_width = 0.02 }, { half_width = 0.1, metric = \"slowdown\" }]"));
  // 2.262157 * (2 sqrt(10 / 9)) / sqrt(10) = 1.508 of 100, and 15.08 of 100.
  values seen;
  for (int r = 0; r < 10; ++r) seen.push_back(found({100.0 + (r % 2 ? 2.0 : -2.0), 100.0 + (r % 2 ? 20.0 : -20.0)}));
  const auto looked = rule.look(seen);
  ASSERT_EQ(looked.intervals.size(), 2u);
  EXPECT_TRUE(looked.intervals[0].reached);
  EXPECT_FALSE(looked.intervals[1].reached);
  EXPECT_FALSE(looked.reached);
  EXPECT_EQ(looked.next, 12u);
  EXPECT_EQ(rule.furthest(looked), 1u);
  for (auto& v : seen) value_in(v, 1) = value_in(v, 0);
  EXPECT_TRUE(rule.look(seen).reached);
  EXPECT_EQ(rule.look(seen).next, 0u);
  EXPECT_EQ(rule.furthest(rule.look(seen)), 0u) << "1.5 of 2 % is further than of 10 %";
  for (auto& v : seen) v.measurements.pop_back();
  EXPECT_FALSE(rule.look(seen).reached) << "without an interval";
}

TEST(sequential_rule, goes_on_where_the_last_of_its_targets_alone_is_reached) {
  const sequential_rule rule(single_class(
      1, 0.5, "jobs = 100\nprecision = [{ half_width = 0.02 }, { half_width = 0.1, metric = \"slowdown\" }]"));
  // 15.08 of 100, and 1.508 of 100; see above.
  values seen;
  for (int r = 0; r < 10; ++r) seen.push_back(found({100.0 + (r % 2 ? 20.0 : -20.0), 100.0 + (r % 2 ? 2.0 : -2.0)}));
  const auto looked = rule.look(seen);
  ASSERT_EQ(looked.intervals.size(), 2u);
  EXPECT_FALSE(looked.intervals[0].reached);
  EXPECT_TRUE(looked.intervals[1].reached);
  EXPECT_FALSE(looked.reached);
  EXPECT_EQ(looked.next, 12u);
  EXPECT_EQ(rule.furthest(looked), 0u);
}

TEST(sequential_rule, goes_by_the_metrics_of_its_targets_and_the_times_that_share_control_variates) {
  const sequential_rule rule(single_class(
      1, 0.5,
      "jobs = 100\nprecision = [{ half_width = 0.02, metric = \"slowdown\" }, { half_width = 0.1, class = \"job\" }]"));
  replication_result result;
  result.measurements.push_back({"all", "response_time", true, 1.0, 10, {}});
  result.measurements.push_back({"all", "slowdown", true, 2.0, 10, {}});
  result.measurements.push_back({"job", "response_time", true, 3.0, 10, {}});
  result.measurements.push_back({"job", "throughput", true, 4.0, 10, {}});
  const replication_result seen = rule.seen_in(result);
  ASSERT_EQ(seen.measurements.size(), 3u);
  EXPECT_EQ(seen.find("all", "response_time")->value, 1.0);
  EXPECT_EQ(seen.find("all", "slowdown")->value, 2.0);
  EXPECT_EQ(seen.find("job", "response_time")->value, 3.0);
}

TEST(sequential_rule, goes_by_the_metrics_that_judge_policies_where_these_are_compared) {
  const sequential_rule rule(single_class(1, 0.5, "jobs = 100\nequal_within = \"1%\""));
  EXPECT_TRUE(rule.wants_precision());
  EXPECT_EQ(rule.first_look(), 10u);
  const replication_result seen = rule.seen_in(found({1.0, 2.0}));
  ASSERT_EQ(seen.measurements.size(), 1u);
  EXPECT_EQ(seen.measurements.front().metric, "response_time");
}

TEST(sequential_rule, seeks_no_precision_at_an_unstable_point) {
  const sequential_rule rule(single_class(1, 1.1, "jobs = 100\nprecision = 0.01"));
  EXPECT_TRUE(rule.hopeless());
  values scattered;
  for (int r = 0; r < 10; ++r) scattered.push_back(found({double(r)}));
  EXPECT_EQ(rule.look(scattered).next, 0u);
}

TEST(sequential_rule, replications_without_a_value_do_not_narrow_the_interval) {
  const sequential_rule rule(single_class(1, 0.5, "jobs = 100\nprecision = 0.01"));
  EXPECT_FALSE(rule.look({found({}), found({1.0}), found({})}).intervals[0].half_width.has_value());
  EXPECT_EQ(rule.look({found({}), found({1.0}), found({1.0})}).intervals[0].half_width, 0.0);
}

// What the rule's documentation says of it, with needs of 5 to 160 replications.
TEST(sequential_rule, covers_the_mean_of_normal_replications_nearly_as_often_as_a_fixed_number_does) {
  const sequential_rule rule(single_class(1, 0.5, "jobs = 100\nprecision = 0.02\nmost_replications = 100000"));
  std::mt19937_64 bits(1);
  std::normal_distribution<double> normal;
  for (const double needed : {5.0, 20.0, 160.0}) {
    const double deviation = 0.02 * std::sqrt(needed) / 1.96;
    int covered = 0;
    constexpr int experiments = 1500;
    for (int e = 0; e < experiments; ++e) {
      values drawn;
      for (std::uint32_t due = rule.first_look(); due > 0; due = rule.look(drawn).next)
        while (drawn.size() < due) drawn.push_back(found({1.0 + deviation * normal(bits)}));
      double mean = 0.0;
      for (auto& v : drawn) mean += value_in(v, 0) / static_cast<double>(drawn.size());
      covered += std::abs(mean - 1.0) <= *rule.look(drawn).intervals[0].half_width * mean;
    }
    EXPECT_GE(covered, 0.93 * experiments) << needed;
    EXPECT_LE(covered, 0.96 * experiments) << needed;
  }
}

}  // namespace
}  // namespace muster
