#include <fmt/format.h>
#include <gtest/gtest.h>

#include "platform/theory/stability/stability.h"
#include "tests/simulation/replicate.h"

// The limits that `check` finds are those of the simulation: below them the number of jobs in the system does not
// depend on how long one looks, above them it grows in proportion.

namespace muster {
namespace {

struct mix {
  std::string about;
  unsigned cores;
  std::vector<std::pair<unsigned, double>> needs;  // and shares
  std::string size = R"(distribution = "exponential", mean = 1.0)";
};

scenario at(const mix& jobs, const std::string& policy, double rate, unsigned length, const std::string& more = "") {
  std::string text =
      fmt::format("name = \"s\"\n[platform]\nservers = [{{ name = \"n\", cores = {} }}]\n{}\n", jobs.cores, more);
  for (const auto& [need, share] : jobs.needs)
    text += fmt::format("[[classes]]\nname = \"need_{}\"\nneed = {}\nshare = {}\nsize = {{ {} }}\n", need, need, share,
                        jobs.size);
  text += fmt::format("[arrivals]\nrate = {}\n[policy]\n{}\n[run]\njobs = {}\nreplications = 2\nwarm_up = 0.5\n", rate,
                      policy, length);
  return first_point(text);
}

double growth(const mix& jobs, const std::string& policy, double rate) {
  constexpr unsigned length = 30'000;
  const auto in_system = [&](unsigned n) {
    return estimate_of(replicate(at(jobs, policy, rate, n)), "jobs_in_system").mean;
  };
  return in_system(4 * length) / in_system(length);
}

const mix chain{"1, 2 and 8 of 8", 8, {{1, 0.6}, {2, 0.25}, {8, 0.15}}};
const mix beside_1{"1 and 4 of 6", 6, {{1, 0.5}, {4, 0.5}}};
const mix three_and_eight{"3 and 8 of 8", 8, {{3, 0.75}, {8, 0.25}}};

void expect_limit(const mix& jobs, const std::string& policy) {
  const stability found = examine_stability(at(jobs, policy, 1.0, 1000));
  ASSERT_TRUE(found.policy_rate_is_exact()) << jobs.about << ' ' << policy;
  EXPECT_LT(growth(jobs, policy, 0.9 * *found.policy_rate), 1.7) << jobs.about << ' ' << policy;
  EXPECT_GT(growth(jobs, policy, 1.1 * *found.policy_rate), 3.0) << jobs.about << ' ' << policy;
}

TEST(limit, of_greedy_policies_where_needs_divide_each_other_is_that_of_the_simulation) {
  for (const char* policy : {"first_fit", "msf", "adaptive_quickswap"})
    expect_limit(chain, fmt::format("name = \"{}\"", policy));
}

TEST(limit, of_greedy_policies_where_a_need_does_not_divide_the_cores_is_that_of_the_simulation) {
  for (const char* policy : {"first_fit", "msf"}) expect_limit(beside_1, fmt::format("name = \"{}\"", policy));
}

// Beyond what is proved: 13 of 15 cores at least under MSF and First-Fit, a rate of 4.33, nothing under the third.
TEST(limit, that_long_queues_suggest_is_one_below_which_the_simulation_is_stable) {
  const mix four_classes{"1, 3, 5 and 15 of 15", 15, {{1, 0.5}, {3, 0.25}, {5, 0.2}, {15, 0.05}}};
  for (const char* name : {"first_fit", "msf", "adaptive_quickswap"}) {
    const std::string policy = fmt::format("name = \"{}\"", name);
    const stability found = examine_stability(at(four_classes, policy, 4.5, 1000), limit_search::thorough);
    ASSERT_EQ(found.known_by, limit_evidence::simulated_bound) << name;
    EXPECT_EQ(found.answer, stability::verdict::stable) << name;
    EXPECT_LT(growth(four_classes, policy, 4.5), 1.7) << name;
  }
}

// 0.75 / 2 + 0.25 = 0.625 per job, while the work would allow 8 / 4.25: at 1.1 times the limit load is 0.935.
TEST(limit, of_static_quickswap_is_that_of_the_simulation_whenever_the_next_class_is_let_in) {
  for (const char* hand_over : {"after_drain", "while_draining", "published"})
    expect_limit(three_and_eight, fmt::format("name = \"static_quickswap\"\nhand_over = \"{}\"", hand_over));
}

// Far beyond its limit a queue in order of arrival gives out jobs as fast as one that never empties.
TEST(limit, of_fcfs_for_any_sizes_is_what_an_overloaded_simulation_completes) {
  const auto expect_completed = [](const std::string& size, const std::string& platform) {
    const scenario model =
        at({"", 8, {{1, 0.6}, {3, 0.25}, {8, 0.15}}, size}, "name = \"fcfs\"", 6.0, 40'000, platform);
    const stability found = examine_stability(model);
    ASSERT_EQ(found.known_by, limit_evidence::simulated) << size;
    EXPECT_EQ(found.answer, stability::verdict::unstable);
    EXPECT_NEAR(estimate_of(replicate(model), "throughput").mean, *found.policy_rate, 0.015 * *found.policy_rate)
        << size << platform;
  };
  expect_completed(R"(distribution = "deterministic", value = 1.0)", "");
  expect_completed(R"(distribution = "lognormal", mean = 1.0, scv = 4.0)",
                   "costs = { set_up = 0.2 }\nlink = { latency = 0.15 }");
}

// The shared servers have 5/6 of the work and 2/3 of the capacity: load 0.8 of the whole is their limit.
void expect_pooled_limit(const std::string& policy, const std::string& timers) {
  const auto in_system = [&](double load, unsigned length) {
    return estimate_of(replicate(fmt::format(R"(
name = "s"
[platform]
servers = [{{ name = "own" }}, {{ name = "shared", count = 2 }}]
timers = {{ law = "{}" }}
[[classes]]
name = "a"
share = 0.5
size = {{ distribution = "deterministic", value = 0.2 }}
servers = ["own", "shared"]
[[classes]]
name = "b"
share = 0.5
size = {{ distribution = "hyperexponential", mean = 1.0, scv = 4.0 }}
servers = ["shared"]
[arrivals]
load = {}
[policy]
{}
[run]
jobs = {}
replications = 2
warm_up = 0.5
)",
                                             timers, load, policy, length)),
                       "jobs_in_system")
        .mean;
  };
  EXPECT_LT(in_system(0.9 * 0.8, 120'000) / in_system(0.9 * 0.8, 30'000), 1.7) << policy << timers;
  EXPECT_GT(in_system(1.1 * 0.8, 120'000) / in_system(1.1 * 0.8, 30'000), 3.0) << policy << timers;
}

TEST(limit, of_pooled_jobs_in_order_of_arrival_is_that_of_the_simulation_for_any_sizes) {
  expect_pooled_limit("name = \"fcfs_pooled\"", "exponential");
}

TEST(limit, of_pooled_jobs_that_are_interrupted_is_that_of_the_simulation_for_any_sizes_and_timers) {
  expect_pooled_limit("name = \"balanced_fair\"\ninterruptions_per_job = 0.5", "exponential");
  expect_pooled_limit("name = \"balanced_fair\"\ntheta = 0.3", "deterministic");
}

}  // namespace
}  // namespace muster
