#include <gtest/gtest.h>

#include "tests/oracles/backfilling.h"

// The oracle itself, on schedules made by hand.

namespace muster {
namespace {

using oracle::backfill_cluster;
using oracle::backfill_job;
using oracle::backfill_order;
using oracle::backfill_rule;
using oracle::backfill_settings;

using starts = std::vector<std::uint64_t>;

/// A job on a cluster of which only the cores count.
struct pool_job {
  std::uint64_t arrival, size, estimate, cores;
  std::uint32_t user = 0;
};

starts on_cores(std::uint64_t cores, const std::vector<pool_job>& jobs, const backfill_settings& settings) {
  backfill_cluster cluster{{0}, {{{cores}}}, {}, {}};
  std::vector<backfill_job> given;
  for (const pool_job& j : jobs) {
    given.push_back({j.arrival, j.size, j.estimate, cluster.needs.size(), j.user});
    cluster.needs.push_back({1, {j.cores}});
  }
  starts found;
  for (const auto& outcome : backfill(cluster, given, settings)) found.push_back(outcome.start);
  return found;
}

TEST(backfilling_oracle, starts_jobs_in_order_without_backfilling) {
  EXPECT_EQ(on_cores(4, {{0, 10, 10, 2}, {1, 10, 10, 4}, {2, 8, 8, 2}, {3, 1, 1, 2}}, {backfill_rule::fcfs}),
            (starts{0, 10, 20, 20}));
}

// All cores are reserved for the second job from 10 on.
TEST(backfilling_oracle, lets_a_job_overtake_that_has_ended_when_the_reservation_begins) {
  for (const auto rule : {backfill_rule::easy, backfill_rule::compress, backfill_rule::replan}) {
    EXPECT_EQ(on_cores(4, {{0, 10, 10, 2}, {1, 10, 10, 4}, {2, 8, 8, 2}}, {rule}), (starts{0, 10, 2}));
    EXPECT_EQ(on_cores(4, {{0, 10, 10, 2}, {1, 10, 10, 4}, {2, 8, 9, 2}}, {rule}), (starts{0, 10, 20}));
  }
}

// From 10 on one core is left beside the reservation: the third job takes it, the fourth must be gone by then.
TEST(backfilling_oracle, lets_a_job_run_on_cores_that_the_reservation_leaves) {
  EXPECT_EQ(on_cores(5, {{0, 10, 10, 3}, {1, 10, 10, 4}, {2, 99, 99, 1}, {3, 7, 8, 1}}, {}), (starts{0, 10, 2, 20}));
  EXPECT_EQ(on_cores(5, {{0, 10, 10, 3}, {1, 10, 10, 4}, {2, 99, 99, 1}, {3, 7, 7, 1}}, {}), (starts{0, 10, 2, 3}));
}

// The last job fits beside the reservation of the first that waits, and takes cores that the second would have at 20.
TEST(backfilling_oracle, delays_the_second_job_that_waits_under_easy_and_not_under_conservative_rules) {
  const std::vector<pool_job> jobs{{0, 10, 10, 6}, {1, 10, 10, 8}, {2, 10, 10, 9}, {3, 30, 30, 2}};
  EXPECT_EQ(on_cores(10, jobs, {backfill_rule::easy}), (starts{0, 10, 33, 3}));
  const starts kept{0, 10, 20, 30};
  EXPECT_EQ(on_cores(10, jobs, {backfill_rule::easy, {}, {}, 2}), kept);
  EXPECT_EQ(on_cores(10, jobs, {backfill_rule::compress}), kept);
  EXPECT_EQ(on_cores(10, jobs, {backfill_rule::replan}), kept);
}

// The third job is planned at 30, the fourth at 10. At 5 the second job ends, of which 30 was expected. Compressed, the
// third finds the fourth's reservation in its way and stays; planned anew it is first and has 10.
TEST(backfilling_oracle, compresses_beside_the_other_reservations_and_replans_without_them) {
  const std::vector<pool_job> jobs{{0, 10, 10, 2}, {0, 5, 30, 2}, {1, 20, 20, 3}, {2, 20, 20, 2}};
  EXPECT_EQ(on_cores(4, jobs, {backfill_rule::compress}), (starts{0, 0, 30, 5}));
  EXPECT_EQ(on_cores(4, jobs, {backfill_rule::replan}), (starts{0, 0, 10, 30}));
}

TEST(backfilling_oracle, keeps_a_reservation_against_a_shorter_job_that_comes_later_unless_it_replans) {
  const std::vector<pool_job> jobs{{0, 10, 10, 4}, {1, 10, 10, 4}, {2, 2, 2, 4}};
  EXPECT_EQ(on_cores(4, jobs, {backfill_rule::compress, backfill_order::shortest}), (starts{0, 10, 20}));
  EXPECT_EQ(on_cores(4, jobs, {backfill_rule::replan, backfill_order::shortest}), (starts{0, 12, 10}));
}

// The first job, of estimate 5, ends at 12: at 6 it is expected at 10, at 11 at 20.
TEST(backfilling_oracle, believes_that_a_job_beyond_its_estimate_takes_twice_as_long_and_so_on) {
  const pool_job first{0, 12, 5, 2}, wide{1, 10, 10, 4};
  EXPECT_EQ(on_cores(4, {first, wide, {6, 4, 4, 2}}, {}), (starts{0, 12, 6}));
  EXPECT_EQ(on_cores(4, {first, wide, {6, 5, 5, 2}}, {}), (starts{0, 12, 22}));
  EXPECT_EQ(on_cores(4, {first, wide, {6, 4, 4, 2}, {11, 9, 9, 2}}, {}), (starts{0, 20, 6, 11}));
  EXPECT_EQ(on_cores(4, {first, wide, {6, 4, 4, 2}, {11, 9, 10, 2}}, {}), (starts{0, 12, 6, 22}));
}

// The reservation due at 5 goes to 10, then to 20, as the first job runs on; when that ends at 12, it comes to 12. With
// two more jobs at 7: the third has ended when the second is due at 10; the fourth, planned at 20, then finds room
// beside the first job, as the second goes to 20, which comes back to 14 at 12 and to 13 when the fourth ends early.
TEST(backfilling_oracle, makes_reservations_anew_when_they_are_due_and_a_job_runs_on) {
  for (const auto rule : {backfill_rule::compress, backfill_rule::replan}) {
    EXPECT_EQ(on_cores(4, {{0, 12, 5, 2}, {1, 10, 10, 4}}, {rule}), (starts{0, 12}));
    EXPECT_EQ(on_cores(4, {{0, 12, 5, 2}, {1, 10, 10, 4}, {7, 3, 3, 2}, {7, 3, 4, 2}}, {rule}), (starts{0, 13, 7, 10}));
  }
}

// No two of the jobs that wait fit together, so that they run one after the other from 100 on.
TEST(backfilling_oracle, follows_each_order) {
  const std::vector<pool_job> jobs{
      {0, 100, 100, 4, 0}, {1, 50, 50, 4, 0}, {50, 40, 40, 3, 1}, {60, 20, 20, 4, 0}, {70, 30, 30, 2, 1}};
  const std::vector<std::pair<backfill_order, starts>> expected{
      {backfill_order::arrival, {0, 100, 150, 190, 210}},
      {backfill_order::shortest, {0, 190, 150, 100, 120}},
      {backfill_order::smallest_area, {0, 190, 150, 130, 100}},  // 200, 120, 80, 60
      // 2.98, 2.25, 3, 2 at 100; 3.38, 2.75, 2.67 at 120; 4, 4.33 at 170
      {backfill_order::expansion_factor, {0, 120, 200, 100, 170}},
      {backfill_order::fair_share, {0, 170, 100, 220, 140}}};  // 400 of user 0; 0, 120, 180 of user 1
  for (const auto& [order, when] : expected) {
    EXPECT_EQ(on_cores(4, jobs, {backfill_rule::easy, order}), when) << static_cast<int>(order);
    EXPECT_EQ(on_cores(4, jobs, {backfill_rule::replan, order}), when) << static_cast<int>(order);
  }
}

TEST(backfilling_oracle, has_an_order_of_its_own_for_the_jobs_beside_the_reservations) {
  const std::vector<pool_job> jobs{{0, 10, 10, 2}, {1, 10, 10, 4}, {2, 8, 8, 2}, {2, 6, 6, 2}};
  EXPECT_EQ(on_cores(4, jobs, {}), (starts{0, 10, 2, 20}));
  EXPECT_EQ(on_cores(4, jobs, {backfill_rule::easy, {}, backfill_order::shortest}), (starts{0, 10, 20, 2}));
}

TEST(backfilling_oracle, sees_all_arrivals_of_an_instant_together_or_one_by_one) {
  const std::vector<pool_job> jobs{{0, 10, 10, 1}, {0, 5, 5, 1}};
  for (const auto rule : {backfill_rule::easy, backfill_rule::compress, backfill_rule::replan}) {
    EXPECT_EQ(on_cores(1, jobs, {rule, backfill_order::shortest}), (starts{5, 0}));
    EXPECT_EQ(on_cores(1, jobs, {rule, backfill_order::shortest, {}, 1, true}), (starts{0, 10}));
  }
}

// User 1 has had jobs of 10 and 20 when one comes at 26: as one of 15 it has ended when the reservation begins at 41.
TEST(backfilling_oracle, learns_estimates_from_the_last_two_jobs_of_the_user) {
  const std::vector<pool_job> jobs{{0, 30, 30, 1, 1},  {0, 10, 99, 1, 1},  {0, 20, 99, 2, 1},
                                   {25, 16, 16, 1, 2}, {26, 10, 10, 4, 2}, {26, 13, 99, 1, 1}};
  EXPECT_EQ(on_cores(4, jobs, {}), (starts{0, 0, 0, 25, 41, 51}));
  backfill_settings learning;
  learning.learns = true;
  EXPECT_EQ(on_cores(4, jobs, learning), (starts{0, 0, 0, 25, 41, 26}));
}

// Two servers of four cores. The third job needs one whole: that of the first job is reserved from 10 on, and the
// fourth, of two cores, must be gone from there by then.
TEST(backfilling_oracle, reserves_the_server_that_holds_a_task_whole) {
  const backfill_cluster cluster{{0}, {{{4}}, {{4}}}, {}, {{1, {2}}, {1, {4}}}};
  const auto run = [&](std::uint64_t estimate) {
    return backfill(cluster, {{0, 10, 10, 0}, {0, 20, 20, 1}, {1, 10, 10, 1}, {2, 1, estimate, 0}}, {});
  };
  const auto soon = run(8), late = run(9);
  EXPECT_EQ(soon[3].start, 2u);
  EXPECT_EQ(late[3].start, 20u);
  for (const auto& outcomes : {soon, late}) {
    EXPECT_EQ(outcomes[2].start, 10u);
    EXPECT_EQ(outcomes[2].tasks_by_server, (std::vector<std::pair<std::size_t, unsigned>>{{0, 1}}));
    EXPECT_EQ(outcomes[3].tasks_by_server.front().first, 0u);
  }
}

// Two tasks of a core and two units each, on servers of 4 cores and 3, 9 units; the cluster has one licence. On the
// first server one task fits by its amount, on the second the other. On the slower one work takes twice as long, and
// plans of all jobs say so, of those too that only use the faster one.
TEST(backfilling_oracle, counts_amounts_capacities_and_what_the_cluster_has) {
  const backfill_cluster cluster{
      {0, 0}, {{{4, 3}, 1.0}, {{4, 9}, 0.5}}, {1}, {{2, {1, 2}}, {1, {1, 0}, {1}}, {1, {4, 3}}}};
  const auto outcomes = backfill(cluster, {{0, 10, 10, 0}, {0, 10, 10, 1}, {1, 10, 10, 1}, {2, 10, 9, 2}}, {});
  EXPECT_EQ(outcomes[0].completion, 20u);
  EXPECT_EQ(outcomes[0].tasks_by_server, (std::vector<std::pair<std::size_t, unsigned>>{{0, 1}, {1, 1}}));
  EXPECT_EQ(outcomes[1].completion, 10u);  // though 20 was planned
  EXPECT_EQ(outcomes[2].start, 10u);       // for want of a licence
  EXPECT_EQ(outcomes[3].start, 20u);
}

// One device of two parts, of which the first job holds one. A job of both parts waits; one of one part overtakes it if
// it has ended by then.
TEST(backfilling_oracle, shares_devices_by_parts) {
  const backfill_cluster cluster{{0, 2}, {{{4, 1}}}, {}, {{1, {1, 1}}, {1, {1, 2}}}};
  const auto outcomes = backfill(cluster, {{0, 10, 10, 0}, {1, 10, 10, 1}, {2, 8, 8, 0}, {2, 9, 9, 0}}, {});
  EXPECT_EQ(outcomes[1].start, 10u);
  EXPECT_EQ(outcomes[2].start, 2u);
  EXPECT_EQ(outcomes[3].start, 20u);
}

TEST(backfilling_oracle, refuses_jobs_out_of_order_and_those_that_fit_nowhere) {
  const backfill_cluster cluster{{0}, {{{4}}}, {}, {{1, {4}}, {1, {5}}}};
  EXPECT_THROW(backfill(cluster, {{5, 1, 1}, {4, 1, 1}}, {}), std::invalid_argument);
  for (const auto rule : {backfill_rule::fcfs, backfill_rule::easy, backfill_rule::compress, backfill_rule::replan})
    EXPECT_THROW(backfill(cluster, {{5, 1, 1, 1}}, {rule}), std::logic_error);
}

}  // namespace
}  // namespace muster
