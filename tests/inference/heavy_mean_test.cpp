#include "platform/cautions/point_cautions.h"

#include <string>

#include <gtest/gtest.h>

#include "platform/scenario/scenario_file.h"

namespace muster {
namespace {

// The waiting time behind such jobs has no finite variance: the largest one so far dominates every mean.
TEST(heavy_mean, is_any_mean_of_times_where_the_third_moment_of_sizes_is_infinite) {
  const auto is_heavy = [](double shape, const std::string& metric) {
    const study single = read_study(
        "name = \"m\"\nplatform.servers = [{ name = \"n\", cores = 1 }]\npolicy = \"fcfs\"\narrivals.load = 0.5\n"
        "[[classes]]\nname = \"a\"\nneed = 1\nshare = 1.0\nsize = { distribution = \"pareto\", mean = 1.0, shape = " +
            std::to_string(shape) + " }\n",
        "test", {});
    return is_heavy_mean({"all", metric, 1.0, {}, {}}, single.points.front().model);
  };
  for (const char* metric : {"response_time", "waiting_time", "weighted_response_time", "slowdown", "jobs_in_system"}) {
    EXPECT_TRUE(is_heavy(1.5, metric)) << metric;
    EXPECT_TRUE(is_heavy(3.0, metric)) << metric;
    EXPECT_FALSE(is_heavy(3.1, metric)) << metric;
  }
  for (const char* metric : {"response_time_p50", "waiting_time_p99", "throughput", "utilization"})
    EXPECT_FALSE(is_heavy(2.1, metric)) << metric;
}

// Response time over size has no finite variance where the inverse of a size has none.
TEST(heavy_mean, is_the_slowdown_of_sizes_with_many_small_values) {
  const auto is_heavy = [](const std::string& size, const std::string& metric = "slowdown",
                           const std::string& class_name = "all") {
    const study single = read_study(
        "name = \"m\"\nplatform.servers = [{ name = \"n\", cores = 1 }]\npolicy = \"fcfs\"\narrivals.load = 0.5\n"
        "[[classes]]\nname = \"a\"\nneed = 1\nshare = 0.5\nsize = { distribution = " +
            size +
            " }\n[[classes]]\nname = \"b\"\nneed = 1\nshare = 0.5\n"
            "size = { distribution = \"deterministic\", value = 1.0 }\n",
        "test", {});
    return is_heavy_mean({class_name, metric, 1.0, {}, {}}, single.points.front().model);
  };
  const std::string exponential = "\"exponential\", mean = 1.0";
  EXPECT_TRUE(is_heavy(exponential));
  EXPECT_TRUE(is_heavy(exponential, "slowdown", "a"));
  EXPECT_FALSE(is_heavy(exponential, "slowdown", "b"));
  EXPECT_FALSE(is_heavy(exponential, "response_time"));
  EXPECT_TRUE(is_heavy("\"hyperexponential\", mean = 1.0, scv = 4.0"));
  EXPECT_TRUE(is_heavy("\"hyperexponential\", probabilities = [0.5, 0.5], means = [1.0, 2.0]"));
  EXPECT_TRUE(is_heavy("\"weibull\", shape = 2.0, mean = 1.0"));
  EXPECT_FALSE(is_heavy("\"weibull\", shape = 2.5, mean = 1.0"));
  EXPECT_TRUE(is_heavy("\"erlang\", phases = 2, mean = 1.0"));
  EXPECT_FALSE(is_heavy("\"erlang\", phases = 3, mean = 1.0"));
  EXPECT_TRUE(is_heavy("\"coxian\", means = [1.0, 1.0, 1.0], onward = [1.0, 0.5]"));
  EXPECT_FALSE(is_heavy("\"coxian\", means = [1.0, 1.0, 1.0], onward = [1.0, 1.0]"));
  EXPECT_TRUE(is_heavy("\"bimodal_phases\", phases = [2, 9], probabilities = [0.5, 0.5], mean = 1.0"));
  EXPECT_FALSE(is_heavy("\"bimodal_phases\", phases = [3, 9], probabilities = [0.5, 0.5], mean = 1.0"));
  EXPECT_TRUE(is_heavy("\"zipf_phases\", most = 9, exponent = 2.0, mean = 1.0"));
  EXPECT_TRUE(is_heavy("\"uniform\", low = 0.0, high = 2.0"));
  EXPECT_FALSE(is_heavy("\"uniform\", low = 0.1, high = 2.0"));
  EXPECT_FALSE(is_heavy("\"lognormal\", mean = 1.0, scv = 2.0"));
  EXPECT_FALSE(is_heavy("\"pareto\", shape = 3.2, mean = 1.0"));
}

}  // namespace
}  // namespace muster
