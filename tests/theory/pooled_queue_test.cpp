#include "tests/oracles/pooled_queue.h"

#include <memory>

#include <gtest/gtest.h>

// The oracle itself, on cases traced by hand.

namespace muster {
namespace {

using oracle::pooled_server;
using oracle::serve_pooled;

/// Timers of the lengths given, then none that matters.
pooled_server timed(double capacity, std::vector<std::uint64_t> timers) {
  const auto drawn = std::make_shared<std::size_t>(0);
  return {capacity, [drawn, timers] { return *drawn < timers.size() ? timers[(*drawn)++] : 1'000'000'000; }};
}

pooled_server always(std::uint64_t timer) {
  return {1.0, [timer] { return timer; }};
}

void expect_outcomes(const std::vector<oracle::pooled_job>& jobs, const std::vector<pooled_server>& servers,
                     const std::vector<std::uint64_t>& completions, const std::vector<std::uint64_t>& interruptions) {
  const auto outcomes = serve_pooled(jobs, servers);
  ASSERT_EQ(outcomes.size(), completions.size());
  for (std::size_t j = 0; j < outcomes.size(); ++j) {
    EXPECT_EQ(outcomes[j].completion, completions[j]) << "job " << j;
    EXPECT_EQ(outcomes[j].interruptions, interruptions[j]) << "job " << j;
  }
}

TEST(pooled_queue, one_server_without_a_timer_serves_in_order_of_arrival) {
  expect_outcomes({{0, 10, {0}}, {3, 5, {0}}, {40, 7, {0}}}, {{1.0, {}}}, {10, 15, 47}, {0, 0, 0});
  expect_outcomes({{0, 10, {0}}, {3, 5, {0}}}, {{4.0, {}}}, {3, 4}, {0, 0});  // 2.5 and 1.25, to the nearest tick
}

TEST(pooled_queue, an_interrupted_job_goes_to_the_end_of_the_queue_and_resumes) {
  // Served: 0 until 4, 1 until 8, 0 until 12, 1 until it completes at 13, 0.
  expect_outcomes({{0, 10, {0}}, {3, 5, {0}}}, {always(4)}, {15, 13}, {2, 1});
}

TEST(pooled_queue, a_job_alone_resumes_at_once_with_a_new_timer) {
  expect_outcomes({{0, 10, {0}}}, {timed(1.0, {4, 3, 9})}, {10}, {2});
}

TEST(pooled_queue, completions_precede_interruptions_and_these_precede_arrivals) {
  expect_outcomes({{0, 8, {0}}}, {always(4)}, {8}, {1});
  // At 4 job 0 goes behind nobody before job 1 arrives, which waits until 6.
  expect_outcomes({{0, 6, {0}}, {4, 5, {0}}}, {always(4)}, {6, 11}, {1, 1});
}

TEST(pooled_queue, capacities_of_the_servers_at_work_add_up) {
  const std::vector<pooled_server> servers{{1.0, {}}, {2.0, {}}};
  expect_outcomes({{0, 30, {0, 1}}, {2, 10, {1}}, {3, 10, {0}}}, servers, {10, 15, 20}, {0, 0, 0});
  // The second job works at 2 until server 0 joins at 10: 26 - 20 = 6 are left for a rate of 3.
  expect_outcomes({{0, 10, {0}}, {0, 26, {0, 1}}}, servers, {10, 12}, {0, 0});
}

TEST(pooled_queue, interruption_on_the_three_servers_of_the_paper) {
  // Servers 0 and 1 are private, 2 is shared. At 5 server 2 interrupts job 0, which has done 10 of 20: server 0 goes to
  // job 2 and server 2 to job 1, which has done 4 of 10 and completes at 8. Server 2 then joins job 2, of whose 6 half
  // is left: 1.5 ticks, so it completes at 10, and job 0 does the rest on both its servers. The other timers, set
  // whenever a server begins, would expire just after it leaves.
  expect_outcomes({{0, 20, {0, 2}}, {1, 10, {1, 2}}, {2, 6, {0, 2}}},
                  {timed(1.0, {6, 6, 6}), timed(1.0, {8}), timed(1.0, {5, 4, 3, 6})}, {15, 8, 10}, {1, 0, 0});
}

TEST(pooled_queue, one_interruption_takes_a_job_from_all_its_servers) {
  // Job 0 is on both servers until 3, when both timers expire; job 1 has the shared one from 3 to 8.
  expect_outcomes({{0, 20, {0, 1}}, {1, 5, {1}}}, {timed(1.0, {3}), timed(1.0, {3})}, {13, 8}, {1, 0});
}

TEST(pooled_queue, refuses_jobs_out_of_order) {
  EXPECT_THROW(serve_pooled({{5, 1, {0}}, {1, 1, {0}}}, {{1.0, {}}}), std::invalid_argument);
}

}  // namespace
}  // namespace muster
