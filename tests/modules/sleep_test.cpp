#include "tests/modules/scene.h"

// Cores that sleep when they have been idle for long, and the time that it takes to wake them.

namespace muster {
namespace {

layout sleeper(ticks after, ticks wake) {
  layout l;
  l.costs.sleep_after = after;
  l.costs.wake = wake;
  return l;
}

TEST(sleep, begins_after_the_given_idle_time_and_waking_delays_the_next_slice) {
  scene s{sleeper(50, 10), {{0, class_id{0}, 100}, {200, class_id{0}, 100}}};
  s.run();
  EXPECT_EQ(s.log.records[1].completed, 310u);
  const core_times core = s.servers[0]->times(0, 310);
  EXPECT_EQ(core.idle, 50u);
  EXPECT_EQ(core.asleep, 50u);
  EXPECT_EQ(core.overhead, 10u);
  EXPECT_EQ(core.running, 200u);
}

TEST(sleep, a_core_that_is_wanted_in_time_is_not_woken) {
  scene s{sleeper(50, 10), {{0, class_id{0}, 100}, {150, class_id{0}, 100}}};
  s.run();
  EXPECT_EQ(s.log.records[1].completed, 250u);
  EXPECT_EQ(s.all_cores().asleep, 0u);
  EXPECT_EQ(s.all_cores().overhead, 0u);
}

TEST(sleep, a_slice_waits_for_the_slowest_of_its_cores_to_wake) {
  layout l = sleeper(50, 10);
  l.needs = {2, 1};
  l.groups = {{"node", 1, 2, 1.0}};
  // The first job keeps one core awake, the other one has slept since 50.
  scene s{l, {{0, class_id{1}, 100}, {100, class_id{0}, 100}}};
  s.run();
  EXPECT_EQ(s.log.records[1].completed, 210u);
  EXPECT_EQ(s.all_cores().overhead, 20u);
  EXPECT_EQ(s.all_cores().asleep, 50u);
}

TEST(sleep, a_core_that_nobody_needs_is_seen_asleep) {
  layout l = sleeper(30, 0);
  l.groups = {{"node", 1, 2, 1.0}};
  scene s{l, {{0, class_id{0}, 100}}};
  s.run();
  const core_times unused =
      s.servers[0]->times(0, 100).running == 0 ? s.servers[0]->times(0, 100) : s.servers[0]->times(1, 100);
  EXPECT_EQ(unused.idle, 30u);
  EXPECT_EQ(unused.asleep, 70u);
}

// Awake until 50, down from 100 to 120.
TEST(sleep, counts_until_the_server_fails) {
  script faults{{{0, {{100, 20}}}}};
  layout l = sleeper(50, 10);
  l.faults = &faults;
  scene s{l, {{130, class_id{0}, 10}}};
  s.run_until(140);
  EXPECT_EQ(s.all_cores().asleep, 50u);
  EXPECT_EQ(s.all_cores().idle, 50u + 10);
}

}  // namespace
}  // namespace muster
