#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/policies/slurm_scene.h"

// Which nodes jobs get under Slurm's policy, and which it leaves alone, by hand.

namespace muster {
namespace {

// Classes 0 and 256 share a place in the memory of what fits. The node has four cores, which the second job needs.
TEST(slurm, knows_what_fits_of_each_of_many_classes) {
  std::vector<tasks_of_class> classes(257, {1, {1}});
  classes[256].each = {4};
  placing_scene scene(only_cores, {{1, {4}}}, {0}, needs_of(classes), "slurm",
                      {{"SchedulerType", std::string("builtin")}});
  EXPECT_EQ(scene.run({{0, 10, 60, 0}, {0, 10, 60, 256}, {0, 10, 60, 0}}), (starts{0, 10, 20}));
}

// Three nodes of four cores and two GPUs. Job 0 has a GPU of the first one, so that job 1, of three tasks with a GPU
// each, goes to the others. Job 2 needs no GPU: the first node suffices for it, and has the least room.
TEST(slurm, takes_the_nodes_with_the_most_free_devices_for_jobs_that_need_devices) {
  placing_scene scene =
      nodes_with_gpus(3, {{1, {1, 1}}, {3, {1, 1}}, {3, {1, 0}}}, {{"SchedulerType", std::string("builtin")}});
  scene.run({{0, 10, 60, 0}, {0, 10, 60, 1}, {0, 10, 60, 2}});
  const auto nodes = [&](std::size_t job) {
    std::vector<std::uint32_t> all;
    for (const task_placement& part : scene.placed(job)) all.push_back(part.server);
    return all;
  };
  EXPECT_EQ(nodes(0), (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(nodes(1), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(nodes(2), (std::vector<std::uint32_t>{0}));
}

// Three nodes of four cores and two GPUs. Until 101 jobs 0 and 1 hold a GPU and three cores of node 0, and jobs 2 and 3
// nodes 1 and 2; job 0 goes on. The test of job 4, of two tasks with a GPU each, finds two GPUs on nodes 1 and 2 and
// one on node 0, and it is to start on node 1. Job 5, without GPUs, is therefore to start on node 2. Node 0 alone would
// suffice for it with less room, and job 6, which starts there at once, would be in its way.
TEST(slurm, prefers_nodes_with_the_most_devices_in_the_latest_test_for_jobs_without_devices_too) {
  placing_scene scene = nodes_with_gpus(
      3, {{1, {1, 1}}, {1, {2, 0}}, {1, {4, 0}}, {2, {1, 1}}, {3, {1, 0}}, {1, {1, 0}}},
      {{"sched_interval", std::int64_t{-1}}, {"bf_interval", std::int64_t{1}}, {"bf_resolution", std::int64_t{1}}});
  const auto started = scene.run({{0, 900, 1000, 0},
                                  {0, 90, 100, 1},
                                  {0, 90, 100, 2},
                                  {0, 90, 100, 2},
                                  {2, 10, 100, 3},
                                  {2, 10, 30, 4},
                                  {2, 10, 500, 5}});
  ASSERT_EQ(scene.placed(1)[0].server, 0u);
  EXPECT_EQ(started[6], 2);
}

// Node 0 is free and node 1 has one core left. A job with one GPU could use one of the two of each: both have as much
// room for it, and it gets the first one.
TEST(slurm, counts_no_more_room_on_a_node_than_the_devices_of_a_job_allow) {
  placing_scene scene =
      nodes_with_gpus(2, {{1, {4, 0}}, {1, {3, 0}}, {1, {1, 1}}}, {{"SchedulerType", std::string("builtin")}});
  scene.run({{0, 10, 60, 0}, {0, 100, 100, 1}, {20, 10, 60, 2}});
  ASSERT_EQ(scene.placed(1)[0].server, 1u);
  EXPECT_EQ(scene.placed(2)[0].server, 0u);
}

/// The nodes of each of some jobs of one core or three that arrive one after the other, of nodes of four, six and four
/// cores.
std::vector<std::vector<std::uint32_t>> nodes_of_jobs(const placing_scene::changes& changed, const char* lln_of_first) {
  settings of_first;
  of_first.set("LLN", std::string(lln_of_first));
  placing_scene scene(only_cores, {{1, {4}}, {1, {6}}, {1, {4}}}, {0}, needs_of({{1, {1}}, {3, {1}}}), "slurm", changed,
                      {}, {of_first});
  const std::vector<placed_job> jobs{{0, 90, 90, 1}, {0, 90, 90, 0}, {0, 90, 90, 0}, {0, 90, 90, 1}, {0, 90, 90, 1}};
  scene.run(jobs);
  std::vector<std::vector<std::uint32_t>> all(jobs.size());
  for (std::size_t n = 0; n < jobs.size(); ++n)
    for (const task_placement& part : scene.placed(n)) all[n].push_back(static_cast<std::uint32_t>(part.group));
  return all;
}

// Job 0 takes the first node of the least room. Without least loaded nodes its last core is then for job 1.
TEST(slurm, takes_the_nodes_with_the_largest_free_part_where_a_partition_or_the_cluster_has_lln) {
  using nodes = std::vector<std::vector<std::uint32_t>>;
  EXPECT_EQ(nodes_of_jobs({}, "no"), (nodes{{0}, {0}, {2}, {2}, {1}}));
  // With job 1, five of the six cores of node 1 are free.
  EXPECT_EQ(nodes_of_jobs({}, "yes"), (nodes{{0}, {1}, {2}, {2}, {1}}));
  // Job 4 finds a third of node 1 free, and three quarters of node 2.
  EXPECT_EQ(nodes_of_jobs({{"CR_LLN", std::string("yes")}}, "no"), (nodes{{0}, {1}, {2}, {1}, {2}}));
}

TEST(slurm, takes_the_last_node_for_jobs_of_one_core_where_they_are_packed_at_the_end) {
  using nodes = std::vector<std::vector<std::uint32_t>>;
  EXPECT_EQ(nodes_of_jobs({{"pack_serial_at_end", std::string("yes")}}, "no"), (nodes{{0}, {2}, {2}, {1}, {1}}));
  EXPECT_EQ(nodes_of_jobs({{"pack_serial_at_end", std::string("yes")}, {"CR_LLN", std::string("yes")}}, "no"),
            (nodes{{0}, {1}, {2}, {1}, {2}}));
}

// Two nodes. Job 0 leaves node 0 at 11, where it is cleaned up at 16. At 11 job 1, which needs both, is to start a
// second later: job 2 would be in its way on node 1, where there is room for it.
TEST(slurm, plans_nodes_that_are_completing_for_the_next_second) {
  const auto starts_with = [&](double completing) {
    placing_scene scene(only_cores, {{2, {4}}}, {0}, needs_of({{2, {4}}, {1, {4}}}), "slurm",
                        {{"sched_interval", std::int64_t{-1}},
                         {"bf_interval", std::int64_t{1}},
                         {"bf_resolution", std::int64_t{1}},
                         {"completing_time", completing}});
    return scene.run({{0, 10, 60, 1}, {2, 10, 60, 0}, {11, 10, 30, 1}});
  };
  EXPECT_EQ(starts_with(5.0), (starts{1, 16, 31}));
  EXPECT_EQ(starts_with(0.0), (starts{1, 11, 21}));
}

TEST(slurm, leaves_nodes_that_are_completing_out_of_main_passes) {
  const placing_scene::changes builtin{
      {"SchedulerType", std::string("builtin")}, {"sched_interval", std::int64_t{1}}, {"completing_time", 5.0}};
  EXPECT_EQ(two_nodes(builtin).run({{0, 10, 60, 0}, {3, 10, 60, 3}}), (starts{0, 15}));
}

// Three nodes in a row, of which the first one has three cores left for jobs 1 and 2. Spread from it on, job 1 would
// have two nodes.
TEST(slurm, takes_the_node_of_the_least_room_where_one_of_a_row_suffices) {
  placing_scene scene(only_cores, {{3, {4}}}, {0}, needs_of({{1, {1}}, {4, {1}}, {2, {1}}}), "slurm", {});
  ASSERT_EQ(scene.run({{0, 100, 100, 0}, {0, 100, 100, 1}, {0, 100, 100, 2}}), (starts{0, 0, 0}));
  for (std::uint32_t n = 0; n < 3; ++n) {
    ASSERT_EQ(scene.placed(n).size(), 1u) << n;
    EXPECT_EQ(scene.placed(n)[0].server, n % 2) << n;
  }
}

// Both jobs need both nodes, and only the second one ends by its limit before server 0 leaves. The first has a
// reservation from 100 on, rounded up to 120.
TEST(slurm, keeps_jobs_off_nodes_whose_planned_outage_begins_within_their_limits) {
  const std::vector<planned_outage> maintenance{{{group_id{0}, 0}, 50, 100, 4}};
  EXPECT_EQ(two_nodes({}, maintenance).run({{0, 10, 60, 0}, {0, 10, 15, 0}}), (starts{120, 30}));
  EXPECT_EQ(two_nodes({}, maintenance).run({{0, 10, 40, 0}}), (starts{0}));
  // A limit may end as the outage begins: in a main pass at 0, and in a backfill pass at 30.
  EXPECT_EQ(two_nodes({}, maintenance).run({{0, 10, 50, 0}}), (starts{0}));
  EXPECT_EQ(two_nodes({}, maintenance).run({{0, 10, 60, 0}, {0, 10, 20, 0}}), (starts{120, 30}));
  EXPECT_EQ(two_nodes({}, maintenance).run({{0, 10, 60, 0}, {0, 10, 21, 0}}), (starts{120, 130}));
}

// Job 0 needs both nodes, and is tried again at 101: so is its reservation. A limit of job 1 may end at 100, of a
// backfill pass at 30, but not as the reservation begins.
TEST(slurm, tries_jobs_again_a_second_after_a_planned_outage) {
  const std::vector<planned_outage> maintenance{{{group_id{0}, 0}, 50, 100, 4}};
  const placing_scene::changes fine{{"bf_resolution", std::int64_t{1}}};
  EXPECT_EQ(two_nodes(fine, maintenance).run({{0, 10, 60, 0}, {0, 10, 70, 3}}), (starts{120, 30}));
  EXPECT_EQ(two_nodes(fine, maintenance).run({{0, 10, 60, 0}, {0, 10, 71, 3}}), (starts{120, 130}));
}

// Job 1 needs all GPUs of two nodes, of which one has failed and is not repaired. No job runs from 10 on.
TEST(slurm, does_not_go_on_for_ever_where_jobs_that_need_devices_can_never_start) {
  placing_scene scene = nodes_with_gpus(2, {{1, {1, 1}}, {4, {1, 1}}}, {});
  scene.fail_at(5, {group_id{0}, 1});
  EXPECT_THROW(scene.run({{0, 10, 60, 0}, {1, 10, 60, 1}}), std::logic_error);
}

TEST(slurm, waits_for_servers_that_are_down) {
  placing_scene scene = two_nodes({});
  scene.fail_at(5, {group_id{0}, 1});
  scene.repair_at(200, {group_id{0}, 1});
  EXPECT_EQ(scene.run({{0, 10, 60, 0}}), (starts{200}));
}

}  // namespace
}  // namespace muster
