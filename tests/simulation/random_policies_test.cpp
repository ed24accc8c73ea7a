#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/oracles/random_policy_chains.h"
#include "tests/simulation/chains.h"

// Policies with random numbers and timers of their own against the exact stationary distribution of their Markov
// chains. Every interval here misses the truth with probability 1e-4; seeds are fixed.

namespace muster {
namespace {

class nmsr_chain : public testing::TestWithParam<bool> {};

TEST_P(nmsr_chain, response_times_in_one_or_all_are_exact) {
  const std::vector<kind> kinds{{4, 0.1, 1.0, 60}, {1, 0.6, 1.0, 90}};
  const oracle::schedule_chain chain{{{1, 0}, {0, 4}}, {{0.0, 0.4}, {0.3, 0.0}}, GetParam()};
  const std::string policy =
      "name = \"nmsr\"\nschedules = [{ need_4 = 1 }, { need_1 = 4 }]\nrates = [[0, 0.4], [0.3, 0]]";
  expect_agreement(replicate(cluster_of(4, kinds, policy + (GetParam() ? "\ntimer = \"from_request\"" : ""), 24'000)),
                   kinds, oracle::nmsr(4, for_oracle(kinds), chain));
}

TEST_P(nmsr_chain, response_times_are_exact_where_jobs_start_during_a_switch) {
  const std::vector<kind> kinds{{3, 0.12, 1.5, 50}, {1, 0.9, 0.8, 60}};
  const oracle::schedule_chain chain{
      {{1, 1}, {0, 4}, {0, 2}}, {{9.0, 0.3, 0.2}, {0.5, 0.0, 0.0}, {1.0, 0.5, 0.0}}, GetParam()};
  const std::string policy =
      "name = \"nmsr\"\nschedules = [{ need_3 = 1, need_1 = 1 }, { need_1 = 4 }, { need_1 = 2, need_3 = 0 }]\nrates = "
      "[[9, 0.3, 0.2], [0.5, 0, 0], [1, 0.5, 0]]";
  expect_agreement(replicate(cluster_of(4, kinds, policy + (GetParam() ? "\ntimer = \"from_request\"" : ""), 24'000)),
                   kinds, oracle::nmsr(4, for_oracle(kinds), chain));
}

INSTANTIATE_TEST_SUITE_P(either_timer, nmsr_chain, testing::Bool(),
                         [](const auto& given) { return given.param ? "from_request" : "from_completion"; });

class randomized_timers_chain : public testing::TestWithParam<std::string> {};

TEST_P(randomized_timers_chain, response_times_are_exact) {
  const std::vector<kind> kinds{{3, 0.12, 1.0, 60}, {1, 0.8, 0.5, 40}};
  expect_agreement(
      replicate(cluster_of(4, kinds, fmt::format("name = \"randomized_timers\"\nrate = 2\nweight = \"{}\"", GetParam()),
                           32'000)),
      kinds, oracle::randomized_timers(4, for_oracle(kinds), 2.0, GetParam() == "log" ? 1.0 : 0.5));
}

INSTANTIATE_TEST_SUITE_P(either_weight, randomized_timers_chain, testing::Values("root_log", "log"),
                         [](const auto& given) { return given.param; });

// The event of a timer that has gone off waits while the scheduler decides on others; jobs that arrive meanwhile change
// the queue, not that it has gone off.
TEST(randomized_timers, start_jobs_where_decisions_take_time) {
  const std::vector<kind> kinds{{1, 0.8, 0.5, 40}};
  for (const char* takes : {"0.01", "0.1", "0.2"}) {
    const std::string text = cluster_of(4, kinds, "name = \"randomized_timers\"\nrate = 20", 2000, 2);
    for (const replication_result& r : replicate(text, {"platform.decision={ fixed = " + std::string{takes} + " }"}))
      EXPECT_EQ(r.jobs, 2000u) << takes;
  }
}

// How much the mean number of jobs grows if the run is four times as long; 4 if the number grows all the time.
double growth(const std::string& policy, const std::vector<kind>& kinds, int jobs) {
  const auto jobs_in_system = [&](int of_run) {
    return estimate_of(replicate(cluster_of(4, kinds, "name = \"" + policy + "\"", of_run, 2)), "jobs_in_system").mean;
  };
  return jobs_in_system(4 * jobs) / jobs_in_system(jobs);
}

TEST(derived_nmsr, is_stable_close_to_the_limit_where_fcfs_is_not) {
  const double rate = 0.98 / (0.9 / 4 + 0.1);  // light jobs four at a time, heavy ones alone
  const std::vector<kind> kinds{{1, 0.9 * rate, 1.0}, {4, 0.1 * rate, 1.0}};
  EXPECT_LT(growth("nmsr", kinds, 500'000), 2.0);
  EXPECT_GT(growth("fcfs", kinds, 100'000), 3.5);
}

TEST(balanced_splitting, lets_no_job_wait_in_a_large_cluster) {
  const std::vector<kind> kinds{{1, 3000.0, 1.0}, {10, 200.0, 1.0}, {50, 40.0, 1.0}};
  const auto results = replicate(cluster_of(10'000, kinds, "name = \"balanced_splitting\"", 100'000, 4));
  for (const char* name : {"need_1", "need_10", "need_50"})
    EXPECT_LT(estimate_of(results, "waiting_time", name).mean, 0.01) << name;
}

}  // namespace
}  // namespace muster
