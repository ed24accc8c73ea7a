#include <gtest/gtest.h>

#include "platform/theory/stability/stability.h"
#include "tests/simulation/replicate.h"
#include "tests/simulation/scenes.h"

// The load that `check` finds is the share of time for which the simulation's cores are held, and its limit is what
// they can bear.

namespace muster {
namespace {

scenario cluster(const std::string& servers, const std::string& platform, const std::string& policy, double rate) {
  return first_point(one_class(servers, platform, rate, exponential, "jobs = 30_000\nreplications = 4"),
                     {"policy={" + policy + "}"});
}

double held_share(const std::vector<replication_result>& results) {
  return estimate_of(results, "utilization").mean + estimate_of(results, "overhead_share").mean;
}

void expect_cores_held_as_stability_says(const scenario& model) {
  const stability s = examine_stability(model);
  EXPECT_EQ(s.overhead, overhead_count::exact);
  EXPECT_GT(s.work, 0.85);
  EXPECT_NEAR(held_share(replicate(model)), s.work, 0.02);
}

TEST(load, of_a_queue_with_dispatch_and_set_up_is_the_share_of_time_that_its_core_is_held) {
  expect_cores_held_as_stability_says(
      cluster("cores = 1", "costs = { dispatch_latency = 0.1, set_up = 0.2 }", R"(name = "fcfs")", 0.9 / 1.3));
}

TEST(load, of_fast_cores_with_set_up_is_the_share_of_time_that_they_are_held) {
  expect_cores_held_as_stability_says(
      cluster("cores = 3, capacity = 2.0", "costs = { set_up = 0.2 }", R"(name = "fcfs")", 0.9 * 3.0 / 0.7));
}

TEST(load, of_a_server_that_interrupts_counts_what_each_interruption_costs) {
  expect_cores_held_as_stability_says(
      cluster("capacity = 2.0", "costs = { dispatch_latency = 0.01, set_up = 0.1, save = 0.02, restore = 0.03 }",
              R"(name = "balanced_fair", theta = 0.5)", 0.9 / 0.73));
}

// Far beyond its limit a queue gives out jobs as fast as its servers bear: an arrival rate below that is stable.
TEST(limit, of_a_queue_with_set_up_and_links_is_what_an_overloaded_one_completes) {
  const scenario model =
      cluster("cores = 2", "costs = { set_up = 0.2 }\nlink = { latency = 0.15 }", R"(name = "fcfs")", 4.0);
  const stability s = examine_stability(model);
  EXPECT_EQ(s.answer, stability::verdict::unstable);
  EXPECT_TRUE(s.policy_rate_is_exact());
  const auto results = replicate(model);
  EXPECT_ESTIMATE(results, "throughput", "all", *s.policy_rate);
}

// Several servers come to a job and each pays: cores are held for longer than the lower bound, and never shorter.
TEST(load, of_jobs_that_pool_servers_is_a_lower_bound_of_the_share_of_time_that_they_are_held) {
  const scenario model = cluster("count = 3", "costs = { set_up = 0.1, save = 0.02, restore = 0.03 }",
                                 R"(name = "balanced_fair", theta = 0.5)", 1.5);
  const stability s = examine_stability(model);
  EXPECT_EQ(s.overhead, overhead_count::lower_bound);
  const double held = held_share(replicate(model));
  EXPECT_GT(held, s.work);
  EXPECT_GT(s.work, 1.5 / 3.0 * 1.15);
}

}  // namespace
}  // namespace muster
