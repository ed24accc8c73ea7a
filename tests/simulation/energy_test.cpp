#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/simulation/replicate.h"

// Power and sleep in an M/M/1 queue, whose idle periods are exponential.

namespace muster {
namespace {

std::string queue(const std::string& power) {
  return fmt::format(R"(
name = "energy"
time_unit = "min"
[platform]
servers = [{{ name = "node", power = {{ {} }} }}]
[[classes]]
name = "job"
share = 1.0
size = {{ distribution = "exponential", mean = 1.0 }}
[arrivals]
rate = 0.6
[policy]
name = "fcfs"
[run]
jobs = 100_000
replications = 12
)",
                     power);
}

TEST(energy, is_that_of_the_states_that_cores_are_in) {
  const auto results = replicate(queue("idle = 50.0, active = 200.0"));
  EXPECT_ESTIMATE(results, "average_power", "all", 50.0 + 150.0 * 0.6);
  EXPECT_ESTIMATE(results, "energy_per_job", "all", 60.0 * (50.0 + 150.0 * 0.6) / 0.6);
}

TEST(energy, of_sleep_follows_from_the_idle_periods) {
  const auto results = replicate(queue("idle = 50.0, active = 200.0, asleep = 5.0, sleep_after = 0.5"));
  const double asleep = 0.4 * std::exp(-0.6 * 0.5);
  EXPECT_ESTIMATE(results, "asleep_share", "all", asleep);
  EXPECT_ESTIMATE(results, "average_power", "all", 200.0 * 0.6 + 5.0 * asleep + 50.0 * (0.4 - asleep));
  EXPECT_ESTIMATE(results, "response_time", "all", 1.0 / 0.4);
}

// M/M/1 with a set-up time D at the beginning of each busy period (Welch 1964): the wait grows by
// (2 D + lambda D^2) / (2 (1 + lambda D)); every core that is idle sleeps at once.
TEST(energy, waking_delays_as_the_queue_with_set_up_times_does) {
  const double wake = 0.8, rate = 0.6;
  const auto results = replicate(queue("idle = 50.0, active = 200.0, sleep_after = 0.0, wake = 0.8"));
  EXPECT_ESTIMATE(results, "response_time", "all",
                  1.0 / 0.4 + (2.0 * wake + rate * wake * wake) / (2.0 * (1.0 + rate * wake)));
}

TEST(energy, is_not_in_the_results_where_no_power_is_given) {
  const auto results = replicate(queue("asleep = 0.0"), {"run.jobs=100", "run.replications=1"});
  ASSERT_FALSE(results.front().measurements.empty());
  for (const measurement& m : results.front().measurements)
    EXPECT_TRUE(m.metric != "average_power" && m.metric != "energy_per_job" && m.metric != "asleep_share") << m.metric;
}

}  // namespace
}  // namespace muster
