#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/policies/placing_scene.h"

// Jobs are {arrival, size, estimate, class}; a schedule is when each job starts.

namespace muster {
namespace {

using schedule_of_tasks = std::vector<ticks>;

const std::vector<resource_type> only_cores{{"cores"}};
const std::vector<placing_scene::group> two_of_four_cores{{2, {4}}};

task_need of_cores(std::uint64_t cores) {
  task_need need;
  need.per_task = {cores};
  return need;
}

// Classes 0 to 3 need one task of 4, 3, 2 and 1 cores.
placing_scene servers_of_four_cores(const char* policy, const placing_scene::changes& changed = {},
                                    const std::vector<planned_outage>& known = {}) {
  const std::vector<task_need> needs{of_cores(4), of_cores(3), of_cores(2), of_cores(1)};
  return {only_cores, two_of_four_cores, {0}, needs, policy, changed, known};
}

std::vector<std::uint32_t> servers_of(const placing_scene& scene, std::uint64_t id) {
  std::vector<std::uint32_t> servers;
  for (const task_placement& part : scene.placed(id)) servers.push_back(part.server);
  return servers;
}

TEST(backfilling_of_tasks, plans_by_server_and_not_by_all_free_cores) {
  for (const char* policy : {"easy_backfill", "conservative_backfill"}) {
    placing_scene scene = servers_of_four_cores(policy);
    // Two cores are free from 0 on, one on each server.
    EXPECT_EQ(scene.run({{0, 10, 10, 1}, {0, 12, 12, 1}, {1, 5, 5, 2}}), (schedule_of_tasks{0, 0, 10})) << policy;
    EXPECT_EQ(servers_of(scene, 2), (std::vector<std::uint32_t>{0})) << policy;
  }
}

TEST(backfilling_of_tasks, places_a_job_where_it_fits_beside_the_reservations_for_all_its_time) {
  for (const char* policy : {"easy_backfill", "conservative_backfill"}) {
    placing_scene scene = servers_of_four_cores(policy);
    // Job 2 has server 0 from 10 on. The core there is free for job 4 until then, and not for job 3.
    EXPECT_EQ(scene.run({{0, 10, 10, 1}, {0, 40, 40, 1}, {1, 5, 5, 0}, {2, 30, 30, 3}, {2, 8, 8, 3}}),
              (schedule_of_tasks{0, 0, 10, 2, 2}))
        << policy;
    EXPECT_EQ(servers_of(scene, 3), (std::vector<std::uint32_t>{1})) << policy;
    EXPECT_EQ(servers_of(scene, 4), (std::vector<std::uint32_t>{0})) << policy;
  }
}

TEST(backfilling_of_tasks, reserves_devices) {
  // Two GPUs of two parts. Job 1 needs both whole, from 10 on; job 3 is beside job 0 until then, job 2 is too long.
  const std::vector<resource_type> types{{"cores"}, {"gpu", 2}};
  task_need both_gpus, part_of_one;
  both_gpus.per_task = {1, 4};
  part_of_one.per_task = {1, 1};
  placing_scene scene(types, {{1, {8, 2}}}, {0, 0}, {both_gpus, part_of_one}, "easy_backfill");
  EXPECT_EQ(scene.run({{0, 10, 10, 1}, {1, 5, 5, 0}, {2, 20, 20, 1}, {2, 8, 8, 1}}), (schedule_of_tasks{0, 10, 15, 2}));
  EXPECT_EQ(scene.placed(0).front().held, (amounts{1, 1, 0}));
  EXPECT_EQ(scene.placed(1).front().held, (amounts{1, 2, 2}));
  EXPECT_EQ(scene.placed(3).front().held, (amounts{1, 1, 0}));
}

TEST(backfilling_of_tasks, reserves_what_the_cluster_has_as_a_whole) {
  const std::vector<resource_type> types{{"cores"}, {"licence", 0, true}};
  task_need licensed = of_cores(1), plain = of_cores(1);
  licensed.per_job = {0, 1};
  placing_scene scene(types, {{2, {4, 0}}}, {0, 1}, {licensed, plain}, "conservative_backfill");
  EXPECT_EQ(scene.run({{0, 10, 10, 0}, {1, 5, 5, 0}, {2, 4, 4, 0}, {3, 4, 4, 1}}), (schedule_of_tasks{0, 10, 15, 3}));
}

TEST(backfilling_of_tasks, reserves_devices_of_the_cluster) {
  // Two FPGAs of four parts. Job 2 needs three parts of one and gets the first from 10 on, though three are free of
  // both together. Beside it job 3 is there, job 4 is on the second one, and job 5 after it.
  const std::vector<resource_type> types{{"cores"}, {"fpga", 4, true}};
  task_need three = of_cores(1), two = of_cores(1), one = of_cores(1);
  three.per_job = {0, 3};
  two.per_job = {0, 2};
  one.per_job = {0, 1};
  placing_scene scene(types, {{2, {8, 0}}}, {0, 2}, {three, two, one}, "conservative_backfill");
  EXPECT_EQ(scene.run({{0, 10, 10, 0}, {0, 30, 30, 1}, {1, 5, 5, 0}, {2, 20, 20, 2}, {3, 9, 9, 1}, {4, 6, 6, 1}}),
            (schedule_of_tasks{0, 0, 10, 2, 3, 12}));
  const std::vector<amounts> expected{{3, 0}, {0, 2}, {3, 0}, {1, 0}, {0, 2}, {0, 2}};
  for (std::size_t id = 0; id < expected.size(); ++id) EXPECT_EQ(scene.placed(id).back().held, expected[id]) << id;
}

TEST(backfilling_of_tasks, spreads_tasks_in_the_order_of_servers_and_keeps_exclusive_ones_whole) {
  task_need four_of_two = of_cores(2), exclusive = of_cores(1);
  four_of_two.tasks = 4;
  exclusive.exclusive = true;
  placing_scene scene(only_cores, {{3, {4}}}, {0}, {four_of_two, exclusive}, "easy_backfill");
  EXPECT_EQ(scene.run({{0, 10, 10, 1}, {0, 5, 5, 0}, {1, 2, 2, 1}}), (schedule_of_tasks{0, 0, 5}));
  EXPECT_EQ(servers_of(scene, 1), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(scene.placed(0).front().held, (amounts{4}));
}

TEST(backfilling_of_tasks, expects_a_server_that_is_down_to_stay_so) {
  // Nothing tells the policy that server 1 fails at 3. It is repaired at 6.
  placing_scene scene = servers_of_four_cores("easy_backfill");
  scene.fail_at(3, {group_id{0}, 1});
  scene.repair_at(6, {group_id{0}, 1});
  EXPECT_EQ(scene.run({{0, 10, 10, 0}, {4, 5, 5, 0}, {5, 2, 2, 0}}), (schedule_of_tasks{0, 6, 10}));
}

TEST(backfilling_of_tasks, keeps_a_server_empty_in_an_outage_that_is_known_beforehand) {
  // Server 0 is out from 10 to 20. Job 0 would be there until 12, job 1 ends in time. Job 4 waits for its return.
  const server_name server{group_id{0}, 0};
  for (const char* policy : {"easy_backfill", "conservative_backfill"}) {
    placing_scene scene = servers_of_four_cores(policy, {}, {{server, 10, 20}});
    scene.fail_at(10, server);
    scene.repair_at(20, server);
    EXPECT_EQ(scene.run({{0, 12, 12, 0}, {0, 10, 10, 0}, {1, 5, 5, 0}, {1, 8, 8, 0}, {1, 9, 9, 0}}),
              (schedule_of_tasks{0, 0, 12, 17, 20}))
        << policy;
    EXPECT_EQ(servers_of(scene, 0), (std::vector<std::uint32_t>{1})) << policy;
    EXPECT_EQ(servers_of(scene, 1), (std::vector<std::uint32_t>{0})) << policy;
    EXPECT_EQ(servers_of(scene, 4), (std::vector<std::uint32_t>{0})) << policy;
  }
}

TEST(backfilling_of_tasks, moves_reservations_up_where_a_server_returns_unexpectedly) {
  // Server 1 fails at 1. Job 1 has a reservation at 20, on server 0, until server 1 returns at 6.
  placing_scene scene = servers_of_four_cores("conservative_backfill");
  scene.fail_at(1, {group_id{0}, 1});
  scene.repair_at(6, {group_id{0}, 1});
  EXPECT_EQ(scene.run({{0, 20, 20, 0}, {2, 5, 5, 0}}), (schedule_of_tasks{0, 6}));
}

TEST(backfilling_of_tasks, makes_reservations_anew_where_a_server_fails) {
  for (const char* way : {"compress", "replan"}) {
    placing_scene scene = servers_of_four_cores("conservative_backfill", {{"on_early_end", way}});
    // Job 0 loses server 0 at 3. Job 2 was to start there at 10, and keeps its turn before job 0 unless `order`
    // decides.
    scene.fail_at(3, {group_id{0}, 0});
    scene.repair_at(90, {group_id{0}, 0});
    const bool compresses = way == std::string_view{"compress"};
    EXPECT_EQ(scene.run({{0, 10, 10, 0}, {0, 12, 12, 0}, {1, 5, 5, 0}}),
              compresses ? (schedule_of_tasks{17, 0, 12}) : (schedule_of_tasks{12, 0, 22}))
        << way;
  }
}

}  // namespace
}  // namespace muster
