#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "platform/simulation/random_data.h"
#include "tests/simulation/replicate.h"
#include "tests/simulation/scenes.h"

// Data of jobs from the scenario to the result, against exact values.

namespace muster {
namespace {

std::string one_core(double rate, const std::string& platform = "") {
  return one_class("count = 1", platform, rate, "distribution = \"deterministic\", value = 5.0",
                   "jobs = 20_000\nreplications = 12");
}

// A job holds the core for 1 + 2 + 1 until its input has come, for 5 of work, and for 1 + 1 until its output has: the
// queue M/D/1 of a service of 11.
TEST(data, are_part_of_the_service_of_a_queue) {
  const double rate = 0.05, load = rate * 11.0;
  const auto results = replicate(one_core(rate, "storage = { bandwidth = 10.0, latency = 1.0 }"),
                                 {"classes.job.input=20", "classes.job.output=10"});
  EXPECT_ESTIMATE(results, "response_time", "all", 11.0 + load * 11.0 / (2.0 * (1.0 - load)));
  EXPECT_ESTIMATE(results, "data_share", "all", rate * 6.0);
  EXPECT_ESTIMATE(results, "overhead_share", "all", rate * 6.0);
  EXPECT_NEAR(estimate_of(results, "bytes_moved").mean, 30.0, 1e-9);
}

// The disk holds one of two sets, of which two jobs in three read the first: a job finds the set of the job before.
TEST(data, that_are_drawn_by_a_power_law_are_found_on_the_disk_as_often_as_they_follow_each_other) {
  const auto results = replicate(one_core(0.05), {"classes.job.input=20", "classes.job.inputs=2",
                                                  "classes.job.input_skew=1", "platform.servers.node.disk={cache=30}"});
  EXPECT_ESTIMATE(results, "input_hits", "all", 5.0 / 9.0);
  EXPECT_ESTIMATE(results, "bytes_moved", "all", 20.0 * 4.0 / 9.0);
}

TEST(data, that_cost_no_time_change_no_response_time) {
  const auto none = replicate(one_core(0.1), {"run.replications=1"});
  const auto free =
      replicate(one_core(0.1), {"run.replications=1", "classes.job.input={distribution=\"exponential\",mean=9}",
                                "classes.job.inputs=5", "classes.job.output=7"});
  EXPECT_EQ(none[0].find("all", "response_time")->value, free[0].find("all", "response_time")->value);
  EXPECT_EQ(none[0].find("all", "bytes_moved"), nullptr);
}

TEST(random_data, depend_on_the_number_of_the_job_alone) {
  const scenario model = first_point(one_core(0.1), {"classes.job.input={distribution=\"exponential\",mean=1e9}",
                                                     "classes.job.output={distribution=\"uniform\",low=1e6,high=2e6}"});
  random_data one{model, 0}, other{model, 0}, next{model, 1};
  double sum = 0.0;
  for (std::uint64_t job = 0; job < 1000; ++job) sum += static_cast<double>(one.of(class_id{0}, job).input);
  EXPECT_NEAR(sum / 1000, 1e9, 4.0 * 1e9 / std::sqrt(1000.0));
  for (const std::uint64_t job : {999u, 0u, 500u}) {
    const job_data a = one.of(class_id{0}, job), b = other.of(class_id{0}, job), c = next.of(class_id{0}, job);
    EXPECT_EQ(a.input, b.input);
    EXPECT_EQ(a.output, b.output);
    EXPECT_NE(a.input, c.input);
    EXPECT_NE(a.output, c.output);
    EXPECT_EQ(a.set, job_data::of_its_own);
  }
}

TEST(random_data, of_a_set_are_the_same_for_all_that_read_it) {
  const scenario model = first_point(one_core(0.1), {"classes.job.input={distribution=\"exponential\",mean=1e9}",
                                                     "classes.job.inputs=3", "classes.job.overlap=true"});
  random_data drawn{model, 0};
  std::map<std::uint64_t, std::uint64_t> bytes, count;
  for (std::uint64_t job = 0; job < 3000; ++job) {
    const job_data d = drawn.of(class_id{0}, job);
    EXPECT_EQ(bytes.emplace(d.set, d.input).first->second, d.input);
    ++count[d.set];
    EXPECT_TRUE(d.overlap);
  }
  ASSERT_EQ(count.size(), 3u);
  for (const auto& [set, times] : count)
    EXPECT_NEAR(static_cast<double>(times), 1000.0, 4.0 * std::sqrt(1000.0)) << set;
}

}  // namespace
}  // namespace muster
