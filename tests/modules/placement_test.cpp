#include "tests/modules/child.h"
#include "tests/modules/scene.h"

// Which cores rigid jobs get, and how fast they run there, traced by hand.

namespace muster {
namespace {

layout slow_and_fast(unsigned cores = 1) {
  layout l;
  l.groups = {{"slow", 1, cores, 0.5}, {"fast", 1, cores, 2.0}};
  return l;
}

std::vector<ticks> completions(const scene& s) {
  std::vector<ticks> times(s.log.records.size());
  for (const job_record& r : s.log.records) times[r.id] = r.completed;
  return times;
}

TEST(placement, a_busy_server_does_not_slow_a_job_down_that_gets_no_core_there) {
  scene s{slow_and_fast(), {{0, class_id{0}, 100}, {10, class_id{0}, 100}}};
  s.run();
  EXPECT_EQ(completions(s), (std::vector<ticks>{200, 10 + 50}));
}

TEST(placement, a_server_listed_later_does_not_slow_a_job_down_that_has_its_cores_already) {
  layout l = slow_and_fast();
  std::swap(l.groups[0], l.groups[1]);
  scene s{l, {{0, class_id{0}, 100}, {10, class_id{0}, 100}}};
  s.run();
  EXPECT_EQ(completions(s), (std::vector<ticks>{50, 10 + 200}));
}

TEST(placement, a_gang_runs_at_the_speed_of_its_slowest_slice_whichever_is_listed_first) {
  for (const bool slow_first : {true, false})
    EXPECT_EQ(in_child([&] {
                layout l = slow_and_fast();
                l.needs = {2};
                if (!slow_first) std::swap(l.groups[0], l.groups[1]);
                scene s{l, {{0, class_id{0}, 100}}};
                s.run();
                return std::to_string(s.log.records[0].completed);
              }),
              "200");
}

TEST(placement, a_gang_takes_what_is_left_of_one_server_before_it_goes_on_to_the_next) {
  layout l = slow_and_fast(3);
  l.needs = {2};
  // The first has two cores of the slow server, the second its last one and one of the fast, the third two fast ones.
  scene s{l, {{0, class_id{0}, 100}, {10, class_id{0}, 100}, {20, class_id{0}, 100}}};
  s.run();
  EXPECT_EQ(completions(s), (std::vector<ticks>{200, 210, 70}));
  EXPECT_EQ(s.central.slices_dispatched(), 4u);
}

TEST(placement, within_a_group_the_lowest_server_with_an_idle_core_comes_first) {
  layout l;
  l.groups = {{"node", 3, 2, 1.0}};
  // Server 0 is full, then server 1 has one core of job 2; at 40 server 0 has one core again, which job 3 gets.
  scene s{l, {{0, class_id{0}, 100}, {0, class_id{0}, 40}, {10, class_id{0}, 100}, {50, class_id{0}, 100}}};
  s.run();
  std::vector<ticks> running;
  for (std::uint32_t core = 0; core < 6; ++core) running.push_back(s.servers[0]->times(core, s.time.now()).running);
  EXPECT_EQ(running[0] + running[1], 100u + 40 + 100);
  EXPECT_EQ(running[2] + running[3], 100u);
  EXPECT_EQ(running[4] + running[5], 0u);
}

TEST(placement, time_on_a_server_is_rounded_to_the_nearest_tick_and_never_none) {
  layout l;
  l.groups = {{"node", 1, 1, 4.0}};
  scene s{l, {{0, class_id{0}, 1}, {100, class_id{0}, 9}, {200, class_id{0}, 10}, {300, class_id{0}, 11}}};
  s.run();
  EXPECT_EQ(completions(s), (std::vector<ticks>{1, 102, 203, 303})) << "0.25, 2.25, 2.5 and 2.75 ticks";
}

}  // namespace
}  // namespace muster
