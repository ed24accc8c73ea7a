#include "tests/modules/fault_script.h"
#include "tests/modules/scene.h"

// What policies that keep records of their own do with jobs that lose their cores, traced by hand.

namespace muster {
namespace {

using records = std::vector<job_record>;
constexpr class_id only{0};

// The first job loses the 10 that it has done. So the second one has less work left, and comes first after the repair.
TEST(server_filling_srpt, ranks_a_job_whose_server_failed_by_all_the_work_it_has_lost) {
  script faults{{{0, {{10, 20}}}}};
  layout l;
  l.needs = {2};
  l.groups = {{"node", 1, 2, 1.0}};
  l.policy = "server_filling_srpt";
  l.faults = &faults;
  scene s{l, {{0, only, 100}, {15, only, 95}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records, (records{{1, 0, 15, 30, 125}, {0, 0, 0, 0, 225}}));
}

// The first job, back in its round 0, starts before the second. It is killed when its budget of 10 is used up, and
// completes in round 1.
TEST(kill_restart, lets_a_job_whose_server_failed_repeat_its_round) {
  script faults{{{0, {{5, 5}}}}};
  layout l;
  l.policy = "kill_restart";
  l.mean_size = 10.0;
  l.faults = &faults;
  scene s{l, {{0, only, 15}, {7, only, 4}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records, (records{{1, 0, 7, 20, 24}, {0, 0, 0, 0, 39}}));
}

// Server 0 is known at 17 to have failed; server 1 has stopped at 31. The budget of 30 ends in between.
TEST(kill_restart, does_not_kill_a_job_that_is_leaving_as_its_server_has_failed) {
  script faults{{{0, {{10, 20}}}}};
  layout l;
  l.needs = {2};
  l.groups = {{"node", 2, 1, 1.0}};
  l.policy = "kill_restart";
  l.mean_size = 30.0;
  l.latency = 7;
  l.faults = &faults;
  scene s{l, {{0, only, 100}, {5, only, 20}}};
  s.run_until(1000);
  // The first job has its round from 37 to 67, and is off at 81; its next one, of 60, goes on as nobody waits.
  EXPECT_EQ(s.log.records, (records{{1, 0, 5, 81, 115}, {0, 0, 0, 0, 229}}));
}

// Budgets of 0.25, 0.5, 1, 2 and 4: in three rounds the jobs have a tick each, by turns, then two, then all of their 3.
TEST(kill_restart, gives_every_round_a_tick_at_least) {
  layout l;
  l.policy = "kill_restart";
  l.mean_size = 0.25;
  scene s{l, {{0, only, 3}, {0, only, 3}}};
  s.run();
  EXPECT_EQ(s.log.records, (records{{0, 0, 0, 0, 13}, {1, 0, 0, 1, 16}}));
}

// C takes all but one core from 3 on, so that neither B1 nor B2, which wait for the cores of A since 1 and 2, are in
// its way, nor may X, which arrived before them, go on. A saves from 1 to 11, and X from 3 to 13.
TEST(last_come_first_served, preempts_a_job_that_runs_behind_others_that_wait) {
  const class_id seven{0}, five{1}, three{2}, one{3};
  layout l;
  l.needs = {7, 5, 3, 1};
  l.groups = {{"node", 1, 8, 1.0}};
  l.policy = "last_come_first_served";
  l.costs.save = 10;
  scene s{l, {{0, five, 100}, {0, one, 20}, {1, three, 5}, {2, three, 5}, {3, seven, 30}}};
  s.run();
  EXPECT_EQ(s.log.records,
            (records{{4, 0, 3, 11, 41}, {2, 2, 1, 41, 46}, {3, 2, 2, 41, 46}, {1, 3, 0, 0, 58}, {0, 1, 0, 0, 145}}));
}

// Of four cores the class has three for itself; the fourth is the helper. The first server's jobs find their places
// again when it is repaired.
TEST(balanced_splitting, gives_the_places_of_jobs_whose_server_failed_to_those_that_wait) {
  script faults{{{0, {{10, 10}}}}};
  layout l;
  l.groups = {{"node", 2, 2, 1.0}};
  l.policy = "balanced_splitting";
  l.mean_size = 100.0;
  l.arrival_rate = 0.01;
  l.faults = &faults;
  scene s{l, {{0, only, 100}, {0, only, 100}, {0, only, 100}, {0, only, 100}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records, (records{{2, 0, 0, 0, 100}, {3, 0, 0, 0, 100}, {0, 0, 0, 0, 120}, {1, 0, 0, 0, 120}}));
}

}  // namespace
}  // namespace muster
