#include "tests/modules/fault_script.h"
#include "tests/modules/scene.h"

// What policies that keep records of their own do with a job whose server has failed, traced by hand.

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
