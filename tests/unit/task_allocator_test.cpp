#include "muster/modules/scheduler/allocation/task_allocator.h"

#include <gtest/gtest.h>

// What is free of devices, and of use to the classes, and what is held of the cluster, traced by hand on two servers.

namespace muster {
namespace {

class hand_clock final : public simulated_clock {
 public:
  ticks now() const override { return at; }
  ticks at = 0;
};

/// What a job holds of a server and of the cluster.
struct placed_task {
  placement at;
  amounts held;
  amounts of_cluster{};
};

// Two servers with 4 cores and 2 GPUs of 4 parts each. Class 0 needs 2 whole GPUs, class 1 half a one, class 2
// none, but 2 of the 10 licences of the cluster. Of its 2 FPGAs of 10 parts class 3 needs 6 parts of one, class 4 needs
// 4, and class 5 both.
struct two_servers {
  two_servers() {
    resources.types = {{"cores"}, {"gpu", 4}, {"licence", 0, true}, {"fpga", 10, true}};
    resources.of_cluster = {0, 0, 10, 2};
    groups.push_back({"node", 2, 4, 1.0});
    groups[group_id{0}].resources = {4, 2, 0};
    table<class_id, job_class> classes;
    const std::vector<task_need> needs{{1, {1, 8}},
                                       {1, {1, 2}},
                                       {1, {1, 0}, {0, 0, 2}},
                                       {1, {1, 0}, {0, 0, 0, 6}},
                                       {1, {1, 0}, {0, 0, 0, 4}},
                                       {1, {1, 0}, {0, 0, 0, 20}}};
    for (const task_need& need : needs) {
      job_class type;
      type.name = "class_" + std::to_string(classes.size());
      type.groups = {group_id{0}};
      type.tasks = need;
      classes.push_back(std::move(type));
    }
    table<group_id, unsigned> cores;
    cores.push_back(8);
    state = std::make_unique<cluster_state>(std::move(classes), std::move(cores), &time);
    tasks = std::make_unique<task_allocator>(*state, groups, resources, *find_placement("first"), nullptr);
  }

  // Places a job. @return what it holds
  placed_task place(std::uint32_t type) {
    std::vector<placement> at(2);
    std::vector<amounts> held(2);
    amounts of_cluster;
    EXPECT_EQ(tasks->place(class_id{type}, at, held, of_cluster), 1u);
    return {at[0], held[0], of_cluster};
  }
  void give_back(std::uint32_t type, const placed_task& placed) {
    tasks->give_back(class_id{type}, placed.at, placed.held.data() + 1);
    tasks->job_leaves(placed.of_cluster, {});
  }
  bool fits(std::uint32_t type) const { return state->fits(class_id{type}); }
  // Free parts times ticks, and those of use to each class.
  std::string text() const {
    std::string all = std::to_string(static_cast<std::uint64_t>(tasks->free_devices(1))) + ":";
    for (std::uint32_t type = 0; type < 3; ++type)
      all += " " + std::to_string(static_cast<std::uint64_t>(tasks->usable_devices(1, class_id{type})));
    return all;
  }

  hand_clock time;
  cluster_resources resources;
  table<group_id, server_group> groups;
  std::unique_ptr<cluster_state> state;
  std::unique_ptr<task_allocator> tasks;
};

TEST(free_devices, are_of_use_to_classes_that_can_hold_a_task_there) {
  two_servers s;
  s.time.at = 10;  // 16 parts are free, all of use to classes 0 and 1
  EXPECT_EQ(s.text(), "160: 160 160 0");
  const auto half = s.place(1);  // server 0 has 2 and 4 parts: not two whole GPUs
  s.time.at = 20;
  EXPECT_EQ(s.text(), "300: 240 300 0");
  const auto whole = s.place(0);  // on server 1, which has no part left
  s.time.at = 30;
  EXPECT_EQ(s.text(), "360: 240 360 0");
  s.give_back(1, half);
  s.give_back(0, whole);
  s.time.at = 40;
  EXPECT_EQ(s.text(), "520: 400 520 0");
}

TEST(free_devices, with_fewer_parts_than_a_task_takes_of_one_are_of_no_use_to_it) {
  two_servers s;
  const auto first = s.place(1);
  const auto second = s.place(1);  // on the same device, which is full then
  s.time.at = 10;
  EXPECT_EQ(s.text(), "120: 80 120 0");
  s.give_back(1, first);
  s.give_back(1, second);
}

TEST(free_devices, are_none_on_a_server_without_cores_for_a_task_and_on_one_that_is_down) {
  two_servers s;
  for (unsigned n = 0; n < 4; ++n) s.place(2);  // all cores of server 0
  s.time.at = 10;
  EXPECT_EQ(s.text(), "160: 80 80 0");
  s.tasks->server_fails(group_id{0}, 1);
  s.time.at = 20;
  EXPECT_EQ(s.text(), "240: 80 80 0");
  s.tasks->server_is_repaired(group_id{0}, 1);
  s.time.at = 30;
  EXPECT_EQ(s.text(), "400: 160 160 0");
}

TEST(resources_of_the_cluster, are_held_from_the_placement_of_a_job_until_it_leaves) {
  two_servers s;
  const auto held = [&](ticks at) {
    s.time.at = at;
    return static_cast<std::uint64_t>(s.tasks->held_of_cluster(2));
  };
  EXPECT_EQ(held(10), 0u);
  const auto first = s.place(2);
  EXPECT_EQ(held(25), 2u * 15);
  const auto second = s.place(2);
  const auto without = s.place(1);
  EXPECT_EQ(held(30), 30u + 4 * 5);
  s.give_back(2, first);
  s.give_back(1, without);
  EXPECT_EQ(held(40), 50u + 2 * 10);
  s.give_back(2, second);
  EXPECT_EQ(held(50), 70u);
}

TEST(devices_of_the_cluster, are_held_in_parts_of_one_device_where_the_fewest_remain) {
  two_servers s;
  const auto first = s.place(3), second = s.place(3);
  EXPECT_EQ(first.of_cluster, (amounts{0, 6, 0}));
  EXPECT_EQ(second.of_cluster, (amounts{0, 0, 6}));
  EXPECT_FALSE(s.fits(3)) << "8 parts are free, 4 of each device";
  EXPECT_FALSE(s.tasks->of_cluster().fits(3, 6));
  EXPECT_TRUE(s.tasks->of_cluster().fits(3, 4));
  s.give_back(3, first);
  const auto beside = s.place(4);
  EXPECT_EQ(beside.of_cluster, (amounts{0, 0, 4})) << "with the second job, not on the idle device";
  EXPECT_TRUE(s.fits(3));
  EXPECT_FALSE(s.fits(5)) << "one of both is held";
  s.give_back(3, second);
  EXPECT_FALSE(s.fits(5)) << "one of both is held in part";
  s.give_back(4, beside);
  EXPECT_TRUE(s.fits(5));
  const auto both = s.place(5);
  EXPECT_EQ(both.of_cluster, (amounts{0, 10, 10}));
  EXPECT_FALSE(s.fits(4));
  EXPECT_TRUE(s.fits(2)) << "the class needs licences";
  s.give_back(5, both);
}

TEST(devices_of_the_cluster, have_each_the_time_in_which_jobs_hold_its_parts) {
  two_servers s;
  const auto held = [&](ticks at) {
    s.time.at = at;
    const cluster_ledger& all = s.tasks->of_cluster();
    EXPECT_EQ(static_cast<std::uint64_t>(all.held(3, at)),
              static_cast<std::uint64_t>(all.held(3, 0, at)) + static_cast<std::uint64_t>(all.held(3, 1, at)));
    return std::pair{static_cast<std::uint64_t>(all.held(3, 0, at)), static_cast<std::uint64_t>(all.held(3, 1, at))};
  };
  using times = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_EQ(held(10), times(0, 0));
  const auto first = s.place(3);
  EXPECT_EQ(held(15), times(30, 0));
  const auto second = s.place(3);
  EXPECT_EQ(held(25), times(90, 60));
  s.give_back(3, first);
  EXPECT_EQ(held(30), times(90, 90));
  s.give_back(3, second);
  const auto both = s.place(5);
  EXPECT_EQ(held(32), times(110, 110));
  s.give_back(5, both);
  EXPECT_EQ(held(40), times(110, 110));
}

TEST(devices_of_the_cluster, are_those_that_a_policy_chooses) {
  two_servers s;
  const task_placement task{group_id{0}, 0, {1, 0, 0}};
  std::vector<placement> at(2);
  std::vector<amounts> held;
  amounts of_cluster;
  const std::vector<task_placement> upper{task, {whole_cluster, 0, {0, 0, 6}}};
  EXPECT_EQ(s.tasks->objection(class_id{3}, upper), std::nullopt);
  EXPECT_EQ(s.tasks->place_on(class_id{3}, upper, at, held, of_cluster), 1u);
  EXPECT_EQ(of_cluster, (amounts{0, 0, 6}));
  EXPECT_EQ(s.tasks->place_on(class_id{4}, {task}, at, held, of_cluster), 1u);
  EXPECT_EQ(of_cluster, (amounts{0, 0, 4})) << "by the scheduler's rule";
  s.tasks->job_leaves(of_cluster, {});
  const auto why = [&](const amounts& chosen) {
    return s.tasks->objection(class_id{3}, {task, {whole_cluster, 0, chosen}}).value_or("");
  };
  EXPECT_EQ(why({0, 0, 6}), "with 6 in place 2 of the cluster, where 4 are free");
  EXPECT_EQ(why({0, 3, 3}),
            "with 6 of resource 3 of the cluster in parts of several devices; expected one device, or "
            "whole ones");
  EXPECT_EQ(why({0, 5, 0}), "with 5 of resource 3 of the cluster; expected 6");
  EXPECT_EQ(why({1, 6, 0}), "with 1 of resource 2 of the cluster; expected 0");
  EXPECT_EQ(why({0, 6}), "in 2 places of the cluster, which has 3");
  const task_placement lower{whole_cluster, 0, {0, 6, 0}};
  EXPECT_EQ(s.tasks->objection(class_id{3}, {task, lower, lower}), "on the cluster twice; expected it once");
}

TEST(tasks_on_given_servers, take_what_they_are_given_there) {
  two_servers s;
  const std::vector<task_placement> upper_gpu{{group_id{0}, 1, {1, 0, 2}}};
  EXPECT_EQ(s.tasks->objection(class_id{1}, upper_gpu), std::nullopt);
  std::vector<placement> at(2);
  std::vector<amounts> held;
  amounts of_cluster;
  EXPECT_EQ(s.tasks->place_on(class_id{1}, upper_gpu, at, held, of_cluster), 1u);
  EXPECT_EQ(at[0].server, 1u);
  EXPECT_EQ(at[0].cores, 1u);
  EXPECT_EQ(s.tasks->idle_cores(group_id{0}, 1), 3u);
  EXPECT_EQ(s.state->free_cores(class_id{0}), 1u);  // two whole GPUs: on server 0 alone
  s.give_back(1, {at[0], held[0]});
  EXPECT_EQ(s.state->free_cores(class_id{0}), 2u);
  EXPECT_EQ(s.tasks->idle_cores(group_id{0}, 1), 4u);
  EXPECT_EQ(s.tasks->objection(class_id{0}, {{group_id{0}, 1, {1, 4, 4}}}), std::nullopt);
}

TEST(tasks_on_given_servers, are_refused_where_they_cannot_be) {
  two_servers s;
  s.place(0);  // all GPUs of server 0
  s.tasks->server_fails(group_id{0}, 1);
  const auto why = [&](std::uint32_t type, const std::vector<task_placement>& where) {
    return s.tasks->objection(class_id{type}, where).value_or("");
  };
  EXPECT_EQ(why(1, {{group_id{0}, 0, {1, 2, 0}}}), "with 2 in place 1 of server 0 of group 0, where 0 are free");
  EXPECT_EQ(why(2, {{group_id{0}, 1, {1, 0, 0}}}), "on server 1 of group 0, which is down");
  EXPECT_EQ(why(2, {{group_id{0}, 2, {1, 0, 0}}}), "on server 2 of group 0, which has 2");
  EXPECT_EQ(why(2, {{group_id{1}, 0, {1, 0, 0}}}), "on group 1 of servers, which its class may not use");
  EXPECT_EQ(why(2, {{group_id{0}, 0, {1, 0}}}), "in 2 places of server 0 of group 0, which has 3");
  EXPECT_EQ(why(2, {{group_id{0}, 0, {2, 0, 0}}}), "with 2 of resource 0; expected 1");
  EXPECT_EQ(why(2, {}), "with room for 0 tasks; expected 1");
  EXPECT_EQ(why(2, {{group_id{0}, 0, {1, 0, 0}}, {group_id{0}, 0, {1, 0, 0}}}),
            "on server 0 of group 0 twice; expected each server once");
}

}  // namespace
}  // namespace muster
