#include "platform/theory/fcfs/fcfs_chain.h"

#include <gtest/gtest.h>

#include "tests/oracles/markov_chain.h"

namespace muster {
namespace {

TEST(fcfs_chain, of_one_core_each_is_erlang_c) {
  // Two cores, load 1: an arrival waits with probability 1/3.
  const auto found = solve_fcfs(2, {{1, 0.6, 1.0}, {1, 0.4, 1.0}});
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->limit, 2.0, 1e-12);
  EXPECT_NEAR(found->waiting[0] / 0.6, 1.0 / 3.0, 1e-12);
  EXPECT_NEAR(found->jobs[1] / 0.4, 4.0 / 3.0, 1e-12);
}

TEST(fcfs_chain, of_jobs_that_take_all_cores_is_m_m_1) {
  const auto found = solve_fcfs(7, {{7, 0.5, 1.0}});
  EXPECT_NEAR(found->jobs[0], 1.0, 1e-12);
  EXPECT_NEAR(found->limit, 1.0, 1e-12);
}

/// The classes of all jobs in the system, in the order of their arrival, a bit each: those in service are the longest
/// beginning that fits.
struct whole_queue {
  std::uint32_t classes = 0, jobs = 0;

  bool operator==(const whole_queue& other) const { return classes == other.classes && jobs == other.jobs; }
  std::size_t at(std::uint32_t job) const { return (classes >> job) & 1u; }
};

struct naive_means {
  double jobs[2] = {0.0, 0.0};
  double waiting[2] = {0.0, 0.0};
};

naive_means solve_naively(std::size_t cores, const std::vector<fcfs_class>& classes, std::uint32_t most) {
  const auto served = [&](const whole_queue& q) {
    std::size_t busy = 0;
    std::uint32_t job = 0;
    while (job < q.jobs && busy + classes[q.at(job)].need <= cores) busy += classes[q.at(job++)].need;
    return job;
  };
  const auto next = [&](const whole_queue& q) {
    std::vector<std::pair<whole_queue, double>> all;
    for (std::uint32_t c = 0; c < 2; ++c) all.push_back({{q.classes | (c << q.jobs), q.jobs + 1}, classes[c].arrivals});
    for (std::uint32_t job = 0; job < served(q); ++job) {
      const std::uint32_t before = q.classes & ((1u << job) - 1u);
      all.push_back({{before | ((q.classes >> (job + 1)) << job), q.jobs - 1}, classes[q.at(job)].completions});
    }
    return all;
  };
  const auto chain = oracle::explore(whole_queue{}, next, [&](const whole_queue& q) { return q.jobs <= most; });
  const auto solved = oracle::solve_stationary(chain.states.size(), chain.transitions);
  naive_means means;
  for (std::size_t n = 0; n < chain.states.size(); ++n)
    for (std::uint32_t job = 0; job < chain.states[n].jobs; ++job) {
      const std::size_t c = chain.states[n].at(job);
      means.jobs[c] += solved.probability[n];
      if (job >= served(chain.states[n])) means.waiting[c] += solved.probability[n];
    }
  return means;
}

void expect_naive(std::size_t cores, const std::vector<fcfs_class>& classes) {
  const auto found = solve_fcfs(cores, classes);
  ASSERT_TRUE(found);
  const naive_means naive = solve_naively(cores, classes, 16);
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_NEAR(found->jobs[c], naive.jobs[c], 1e-8) << c;
    EXPECT_NEAR(found->waiting[c], naive.waiting[c], 1e-8) << c;
  }
}

TEST(fcfs_chain, of_one_or_all_agrees_with_the_chain_of_whole_queues) {
  expect_naive(2, {{1, 0.10, 1.0}, {2, 0.08, 1.0}});
  expect_naive(4, {{1, 0.25, 0.8}, {4, 0.06, 1.5}});
}

TEST(fcfs_chain, of_other_needs_agrees_with_the_chain_of_whole_queues) {
  expect_naive(5, {{2, 0.15, 1.0}, {3, 0.10, 0.9}});
  expect_naive(6, {{4, 0.08, 1.2}, {1, 0.30, 1.0}});
}

TEST(fcfs_chain, has_the_limit_of_the_queue_that_never_empties) {
  // One or all: a heavy job ends a run of light ones, see stability.cpp.
  const double p = 0.9;
  double cycle = 1.0, at_least = 1.0;
  for (int n = 1; n < 400; ++n) cycle += (at_least *= p) / std::min(n, 4);
  const double limit = 10.0 / cycle;
  EXPECT_NEAR(solve_fcfs(4, {{1, 0.9, 1.0}, {4, 0.1, 1.0}})->limit, limit, 1e-9);
  EXPECT_TRUE(solve_fcfs(4, {{1, 0.91 * limit, 1.0}, {4, 0.101 * limit, 1.0}})->jobs.empty());
  EXPECT_FALSE(solve_fcfs(4, {{1, 0.89 * limit, 1.0}, {4, 0.099 * limit, 1.0}})->jobs.empty());
}

TEST(fcfs_chain, gives_up_where_states_are_too_many) {
  std::vector<fcfs_class> classes;
  for (std::size_t need = 1; need <= 20; ++need) classes.push_back({need, 0.1, 1.0});
  EXPECT_FALSE(solve_fcfs(2048, classes));
  EXPECT_FALSE(solve_fcfs(100'000, {{1, 1.0, 1.0}, {2, 1.0, 1.0}}));
}

}  // namespace
}  // namespace muster
