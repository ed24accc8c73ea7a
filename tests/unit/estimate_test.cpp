#include "platform/results/estimate.h"

#include <cmath>

#include <gtest/gtest.h>

namespace muster {
namespace {

replication_result with_value(bool has_value, double value) {
  replication_result r;
  r.measurements.push_back({"all", "response_time", has_value, value, 10});
  return r;
}

TEST(estimate, interval_is_students_t_over_replications) {
  const auto found = estimate_all({with_value(true, 1.0), with_value(true, 2.0), with_value(true, 3.0)}).at(0);
  EXPECT_EQ(found.class_name, "all");
  EXPECT_EQ(found.metric, "response_time");
  EXPECT_DOUBLE_EQ(*found.mean, 2.0);
  const double t = 0.95 * std::sqrt(2.0 / (1.0 - 0.95 * 0.95));  // closed form for 2 degrees of freedom
  EXPECT_NEAR(*found.ci_high - *found.mean, t / std::sqrt(3.0), 1e-12);
  EXPECT_NEAR(*found.mean - *found.ci_low, *found.ci_high - *found.mean, 1e-12);
  EXPECT_EQ(found.replications, 3u);
  EXPECT_EQ(found.jobs, 30u);
}

TEST(estimate, one_value_has_no_interval) {
  const auto found = estimate_all({with_value(true, 5.0)}).at(0);
  EXPECT_EQ(found.mean, 5.0);
  EXPECT_FALSE(found.ci_low || found.ci_high);
}

TEST(estimate, replications_without_a_value_do_not_count_as_zero) {
  const auto found = estimate_all({with_value(false, 0.0), with_value(true, 4.0), with_value(true, 6.0)}).at(0);
  EXPECT_EQ(found.mean, 5.0);
  EXPECT_EQ(found.replications, 2u);
}

TEST(estimate, without_any_value_there_is_no_estimate) {
  const auto found = estimate_all({with_value(false, 0.0), with_value(false, 0.0)}).at(0);
  EXPECT_FALSE(found.mean || found.ci_low || found.ci_high);
  EXPECT_EQ(found.replications, 0u);
}

}  // namespace
}  // namespace muster
