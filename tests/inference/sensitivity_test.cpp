#include "platform/inference/paired_differences.h"
#include "platform/model/study_families.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

study with_points(const std::vector<std::string>& keys, const std::vector<std::vector<std::string>>& values) {
  study s;
  s.keys = keys;
  for (const auto& v : values) s.points.push_back({{}, v});
  return s;
}

replication_result with_rate(double rate) {
  replication_result r;
  r.measurements.push_back({"a", "service_rate", true, 7.0, 3});
  r.measurements.push_back({"all", "service_rate", true, rate, 10});
  return r;
}

TEST(sensitivity, compares_points_that_differ_in_nothing_but_sizes) {
  const study s = with_points({"arrivals.rate", "classes.job.size", "classes.\"odd.one\".size"},
                              {{"1", "exp", "x"}, {"1", "zipf", "x"}, {"2", "exp", "x"}, {"2", "zipf", "y"}});
  EXPECT_EQ(families_of_sizes(s), (std::vector<std::vector<std::size_t>>{{0, 1}, {2, 3}}));
}

TEST(sensitivity, has_no_family_without_a_sweep_over_sizes) {
  EXPECT_TRUE(
      families_of_sizes(with_points({"arrivals.rate", "classes.job.size.mean"}, {{"1", "1"}, {"1", "2"}, {"2", "1"}}))
          .empty());
  EXPECT_TRUE(families_of_sizes(with_points({}, {{}})).empty());
}

std::optional<estimate> sensitivity_of(const std::vector<std::vector<replication_result>>& points) {
  const std::vector<measured_point> measured(points.begin(), points.end());
  std::vector<const measured_point*> all;
  for (const measured_point& p : measured) all.push_back(&p);
  return sensitivity(all);
}

TEST(sensitivity, is_the_largest_relative_difference_within_each_replication) {
  const auto found = sensitivity_of({{with_rate(1.0), with_rate(2.0)},
                                     {with_rate(1.1), with_rate(1.6)},  //
                                     {with_rate(1.05), with_rate(1.7)}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->class_name, "all");
  EXPECT_EQ(found->metric, "sensitivity");
  EXPECT_NEAR(*found->mean, (0.1 + 0.25) / 2.0, 1e-12);
  EXPECT_TRUE(found->ci_low && found->ci_high);
  EXPECT_EQ(found->replications, 2u);
  EXPECT_EQ(found->jobs, 60u);
}

TEST(sensitivity, leaves_out_replications_without_a_rate_at_some_point) {
  replication_result none = with_rate(1.0);
  none.measurements.back().has_value = false;
  const auto found = sensitivity_of({{with_rate(1.0), with_rate(1.0)}, {with_rate(1.5), none}});
  EXPECT_EQ(found->replications, 1u);
  EXPECT_NEAR(*found->mean, 0.5, 1e-12);
  EXPECT_EQ(found->jobs, 20u);
}

// The second replication lacks the third point's rate: the first alone counts, (1.5 - 1) / 1 of 30 jobs.
TEST(sensitivity, leaves_out_replications_that_only_some_of_three_points_have) {
  const std::vector<replication_result> first{with_rate(1.0), with_rate(1.0)}, second{with_rate(1.5), with_rate(1.2)},
      shorter{with_rate(1.25)};
  for (const auto& points : {std::vector{first, second, shorter}, std::vector{first, shorter, second},
                             std::vector{shorter, first, second}}) {
    const auto found = sensitivity_of(points);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->replications, 1u);
    EXPECT_NEAR(*found->mean, 0.5, 1e-12);
    EXPECT_EQ(found->jobs, 30u);
  }
}

TEST(sensitivity, is_not_there_where_no_service_rate_is_measured) {
  EXPECT_FALSE(sensitivity_of({{replication_result{}}, {replication_result{}}}));
}

}  // namespace
}  // namespace muster
