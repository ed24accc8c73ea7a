#include <array>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "muster/policies/slurm/pass_times.h"
#include "tests/policies/slurm_scene.h"

// When Slurm's policy makes main and backfill passes, what they test, and what they reserve, by hand.

namespace muster {
namespace {

TEST(slurm, blocks_the_partition_of_a_job_that_does_not_fit_for_the_rest_of_a_main_pass) {
  placing_scene scene = two_nodes({{"SchedulerType", std::string("builtin")}});
  EXPECT_EQ(scene.run({{0, 10, 60, 2}, {0, 10, 60, 0}, {0, 5, 60, 3}}), (starts{0, 10, 20}));
}

// Both jobs wait for both nodes, which job 0 has until 100.
TEST(slurm, starts_jobs_of_the_partition_of_the_higher_tier_first_whenever_they_come) {
  const std::vector<placed_job> jobs{{0, 100, 100, 0}, {1, 50, 60, 1}, {2, 50, 60, 0}};
  EXPECT_EQ(two_nodes({}).run(jobs), (starts{0, 100, 150}));
  EXPECT_EQ(two_nodes({}, {}, {2, 1}).run(jobs), (starts{0, 150, 100}));
  EXPECT_EQ(two_nodes({}, {}, {1, 2}).run(jobs), (starts{0, 100, 150}));
}

// Three cores are taken until 100. Job 2 needs both nodes; job 1, which came before it, has room at once.
TEST(slurm, keeps_jobs_of_lower_tiers_off_the_nodes_of_a_partition_that_is_blocked) {
  const std::vector<placed_job> jobs{{0, 100, 100, 2}, {1, 10, 60, 3}, {1, 10, 60, 0}};
  const placing_scene::changes builtin{{"SchedulerType", std::string("builtin")}};
  EXPECT_EQ(two_nodes(builtin).run(jobs), (starts{0, 3, 100}));
  EXPECT_EQ(two_nodes(builtin, {}, {2, 1, 1, 1}).run(jobs), (starts{0, 110, 100}));
}

// There is room for all jobs. Passes are at 30, 60, and so on.
TEST(slurm, tests_as_many_jobs_of_a_partition_in_a_backfill_pass_as_bf_max_job_part_says) {
  const std::vector<placed_job> jobs{{0, 500, 600, 3}, {0, 500, 600, 3}, {0, 500, 600, 3}, {0, 500, 600, 2}};
  placing_scene::changes set{{"sched_interval", std::int64_t{-1}}};
  EXPECT_EQ(two_nodes(set).run(jobs), (starts{30, 30, 30, 30}));
  set.emplace_back("bf_max_job_part", std::int64_t{1});
  EXPECT_EQ(two_nodes(set).run(jobs), (starts{30, 60, 90, 30}));
  set.back().second = std::int64_t{2};
  EXPECT_EQ(two_nodes(set).run(jobs), (starts{30, 30, 60, 30}));
}

TEST(slurm, looks_at_submissions_batch_sched_delay_after_its_latest_look) {
  placing_scene scene = two_nodes({});
  EXPECT_EQ(scene.run({{0, 9, 60, 3}, {1, 9, 60, 3}, {4, 9, 60, 3}}), (starts{0, 3, 6}));
  placing_scene at_once = two_nodes({{"batch_sched_delay", std::int64_t{0}}});
  EXPECT_EQ(at_once.run({{0, 9, 60, 3}, {1, 9, 60, 3}, {4, 9, 60, 3}}), (starts{0, 1, 4}));
}

// Job 1 is to have both nodes from 100 on, rounded to 60. Job 2 would still run then, job 3 has ended.
TEST(slurm, backfills_jobs_whose_limits_end_before_a_reservation_begins) {
  const std::vector<placed_job> jobs{{0, 100, 100, 2}, {0, 10, 60, 0}, {0, 20, 31, 3}, {0, 20, 29, 3}};
  EXPECT_EQ(two_nodes({}).run(jobs), (starts{0, 100, 110, 30}));
}

// The pass at 30 looks ahead until 90, and rounds to 60. Job 0 starts then. Job 1 is to have both nodes when its limit
// ends: as the window does, so that job 2 is in the way from 60 on, or behind it.
TEST(slurm, reserves_nodes_for_jobs_that_are_to_start_as_its_window_ends_but_not_later) {
  const auto with_limit = [](ticks limit) {
    return two_nodes({{"sched_interval", std::int64_t{-1}}, {"bf_window", std::int64_t{1}}})
        .run({{0, 60, limit, 2}, {0, 10, 60, 0}, {0, 10, 60, 3}});
  };
  EXPECT_EQ(with_limit(60), (starts{30, 90, 120}));
  EXPECT_EQ(with_limit(61), (starts{30, 90, 30}));
}

// The reservation of job 3 leaves a core over on each node, but takes the nodes whole. By cores, job 4 starts at once.
TEST(slurm, reserves_whole_nodes) {
  const std::vector<placed_job> jobs{
      {0, 500, 600, 0}, {0, 100, 600, 2}, {0, 100, 600, 2}, {0, 100, 600, 1}, {0, 100, 6000, 3}};
  EXPECT_EQ(two_nodes({}).run(jobs), (starts{0, 500, 500, 600, 600}));
}

// A second is 10 ticks, and passes are 3 ticks behind full seconds.
TEST(slurm, makes_main_passes_at_their_phase) {
  main_times times(20, 0, 0, 10, 3);
  times.ask_at_once(5);
  EXPECT_EQ(times.next(), 13u);
  times.make(13);
  times.ask_full(14);
  EXPECT_EQ(times.next(), 23u);
  EXPECT_TRUE(times.is_full(23));
  EXPECT_THROW(two_nodes({{"main_phase", 1.0}}), policy_error);
}

// Jobs 0 to 2 are to end at 100, 250 and 500, each on a node of its own. Jobs 3 and 4 get node 0 from 100 and from 200
// to 300, which makes one slot of time, and job 5 node 1 from 250 to 270. The limit of job 6, which needs two nodes,
// would end before 200. In this slot it looks one slot further, is tried again, and gets nodes 0 and 1 from 300 on.
// With a slot from 200 on it would get nodes 1 and 2 from 500 on, which job 7 would then be in the way of.
TEST(slurm, makes_one_slot_of_time_of_two_with_the_same_nodes) {
  placing_scene scene(only_cores, {{3, {4}}}, {0}, needs_of({{1, {4}}, {2, {4}}, {1, {3}}, {1, {1}}}), "slurm",
                      {{"bf_resolution", std::int64_t{1}}});
  const auto started = scene.run({{0, 100, 100, 0},
                                  {0, 250, 250, 0},
                                  {0, 500, 500, 2},
                                  {0, 100, 100, 0},
                                  {0, 100, 100, 0},
                                  {0, 20, 20, 0},
                                  {0, 100, 100, 1},
                                  {0, 480, 480, 3}});
  EXPECT_EQ(started[7], 30);
}

TEST(slurm, tests_as_many_jobs_of_a_user_in_a_backfill_pass_as_bf_max_job_user_says) {
  const std::vector<std::array<std::uint64_t, 4>> jobs{{0, 500, 1, 0}, {0, 500, 1, 0}, {0, 500, 1, 0}, {0, 500, 1, 1}};
  const auto with = [&](std::int64_t most) {
    return on_cores(8, jobs, "slurm", {{"sched_interval", std::int64_t{-1}}, {"bf_max_job_user", most}});
  };
  EXPECT_EQ(with(0), (starts{30, 30, 30, 30}));
  EXPECT_EQ(with(1), (starts{30, 60, 90, 30}));
  EXPECT_EQ(with(2), (starts{30, 30, 60, 30}));
  EXPECT_EQ(with(3), (starts{30, 30, 30, 30}));
}

TEST(slurm, without_backfilling_and_delays_is_first_come_first_served) {
  std::mt19937_64 bits(3);
  std::vector<std::array<std::uint64_t, 4>> jobs;
  for (std::uint64_t at = 0; jobs.size() < 200; at += bits() % 20)
    jobs.push_back({at, 1 + bits() % 60, 1 + bits() % 8, 0});
  const starts expected = on_cores(8, jobs, "fcfs", {});
  EXPECT_EQ(
      on_cores(8, jobs, "slurm", {{"SchedulerType", std::string("builtin")}, {"batch_sched_delay", std::int64_t{0}}}),
      expected);
}

/// Jobs of one core, for all of which there is room, and backfill passes alone, which yield every two seconds for one.
/// @param each seconds that the decision takes for each job
starts of_passes_that_yield(ticks each, placing_scene::changes changed, const std::vector<ticks>& arrivals) {
  changed.insert(changed.end(), {{"sched_interval", std::int64_t{-1}}, {"bf_yield_sleep", std::int64_t{1'000'000}}});
  placing_scene scene = two_nodes(changed);
  scene.set_time_per_job(each);
  std::vector<placed_job> jobs;
  jobs.reserve(arrivals.size());
  for (const ticks at : arrivals) jobs.push_back({at, 1000, 1000, 3});
  return scene.run(jobs);
}

TEST(slurm, yields_in_a_backfill_pass_whose_decision_takes_time) {
  EXPECT_EQ(of_passes_that_yield(0, {}, {0, 0, 0, 0, 0}), (starts{30, 30, 30, 30, 30}));
  EXPECT_EQ(of_passes_that_yield(1, {}, {0, 0, 0, 0, 0}), (starts{30, 30, 33, 33, 36}));
  // The third job would be tested when the pass has taken five seconds.
  EXPECT_EQ(of_passes_that_yield(2, {{"bf_max_time", std::int64_t{5}}}, {0, 0, 0}), (starts{30, 33, 65}));
}

// The last job comes while the pass yields for the second time. A pass is due 30 s after the end of the one before.
TEST(slurm, breaks_a_backfill_pass_off_when_something_has_changed_unless_bf_continue_is_set) {
  EXPECT_EQ(of_passes_that_yield(1, {}, {0, 0, 0, 0, 0, 35}), (starts{30, 30, 33, 33, 66, 66}));
  EXPECT_EQ(of_passes_that_yield(1, {{"bf_continue", std::string("yes")}}, {0, 0, 0, 0, 0, 35}),
            (starts{30, 30, 33, 33, 36, 67}));
}

}  // namespace
}  // namespace muster
