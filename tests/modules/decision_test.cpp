#include "tests/modules/scene.h"

// A scheduler that takes its time, traced by hand.

namespace muster {
namespace {

layout that_takes(ticks fixed, ticks per_job = 0, const std::string& policy = "fcfs") {
  layout l;
  l.policy = policy;
  l.decision = fixed;
  l.decision_per_job = per_job;
  return l;
}

TEST(decision, holds_back_what_it_orders) {
  scene s{that_takes(10), {{0, class_id{0}, 100}, {5, class_id{0}, 100}, {200, class_id{0}, 100}}};
  s.run();
  EXPECT_EQ(s.log.records, (std::vector<job_record>{{0, 0, 0, 10, 110}, {1, 0, 5, 120, 220}, {2, 0, 200, 230, 330}}));
}

TEST(decision, makes_later_events_wait_for_their_turn) {
  // The third job arrives at 105: the end of the first one, at 110, is looked at when that is dealt with, at 115.
  scene s{that_takes(10), {{0, class_id{0}, 100}, {5, class_id{0}, 100}, {105, class_id{0}, 100}}};
  s.run();
  EXPECT_EQ(s.log.records, (std::vector<job_record>{{0, 0, 0, 10, 115}, {1, 0, 5, 125, 225}, {2, 0, 105, 235, 335}}));
}

TEST(decision, takes_as_long_as_jobs_are_examined) {
  // Of those that arrive the first and the second look at one job; the third, behind a queue, at one too. At 107 the
  // second starts and the third is looked at: two jobs.
  scene s{that_takes(0, 7), {{0, class_id{0}, 100}, {10, class_id{0}, 100}, {20, class_id{0}, 100}}};
  s.run();
  EXPECT_EQ(s.log.records, (std::vector<job_record>{{0, 0, 0, 7, 107}, {1, 0, 10, 121, 221}, {2, 0, 20, 228, 328}}));
}

TEST(decision, takes_no_time_where_nobody_is_asked) {
  // A gang of two slices: when the first has ended there is nothing to decide.
  layout l = that_takes(10);
  l.needs = {2};
  l.groups = {{"a"}, {"b", 1, 1, 2.0}};
  scene s{l, {{0, class_id{0}, 100}}};
  s.run();
  EXPECT_EQ(s.log.records, (std::vector<job_record>{{0, 0, 0, 10, 110}}));
}

TEST(decision, comes_before_servers_join_a_pooled_job) {
  layout l = that_takes(10, 0, "fcfs_pooled");
  l.groups = {{"a"}, {"b"}};
  scene s{l, {{0, class_id{0}, 100}, {20, class_id{0}, 40}}};
  s.run();
  // From 10 to 60 both; at 60 the first is free and given out until 70, then the second until 80. The second job has
  // one server from 70 and the other from 80 on: 10, and 30 by both.
  EXPECT_EQ(s.log.records, (std::vector<job_record>{{0, 0, 0, 10, 70}, {1, 0, 20, 70, 105}}));
}

TEST(decision, comes_before_the_cores_of_a_slot_change_hands) {
  layout l = that_takes(10, 0, "fifo");
  std::vector<double> gains{1.0};
  const utility worth{gains};
  scene s{l, {{0, class_id{0}, 100, {}, 0, &worth}, {0, class_id{0}, 100, {}, 0, &worth}}};
  s.run();
  // The arrivals take until 10 and 20, the slot until 30; so the job works until 130, and keeps its core at 100. What
  // is decided when it has left changes no core: the second one has to wait for the third slot, and begins at 210.
  EXPECT_EQ(s.log.records, (std::vector<job_record>{{0, 0, 0, 30, 130}, {1, 0, 0, 210, 310}}));
}

TEST(decision, counts_the_jobs_of_a_slot_at_its_beginning_alone) {
  const utility worth{std::vector<double>{1.0}};
  scene s{that_takes(0, 30, "fifo"), {{0, class_id{0}, 100, {}, 0, &worth}, {150, class_id{0}, 100, {}, 0, &worth}}};
  s.run();
  // The slot at 0 serves one job, until 30; the one at 100 looks at it where it runs and serves it, until 160. Its end,
  // at 130, and the arrival at 150 are dealt with then and look at nobody. So the slot at 200 takes until 230, and the
  // one at 300 until 360, which is when the end at 330 is noticed.
  EXPECT_EQ(s.log.records, (std::vector<job_record>{{0, 0, 0, 30, 160}, {1, 0, 150, 230, 360}}));
}

TEST(decision, forgets_the_deadline_of_a_job_whose_end_comes_before_it) {
  layout l = that_takes(45, 0, "fifo");
  const utility worth{std::vector<double>{1.0}};
  // Dispatched at 90, the job is complete at 190; its deadline passes at 200. The scheduler is at an arrival from 180
  // until 225, and then finds both.
  scene s{l, {{0, class_id{0}, 100, {}, 2, &worth}, {180, class_id{0}, 100, {}, 0, &worth}}};
  s.run();
  ASSERT_EQ(s.log.records.size(), 2u);
  EXPECT_EQ(s.log.records[0], (job_record{0, 0, 0, 90, 225}));
  EXPECT_FALSE(s.log.records[0].expired);
}

TEST(decision, lets_a_job_expire_when_it_comes_to_its_deadline) {
  layout l = that_takes(45, 0, "fifo");
  const utility worth{std::vector<double>{1.0}};
  // The second job waits for the scheduler from 60 to 90, and for the core. The first one ends at 190; the scheduler is
  // at that until 235, and then finds that the deadline passed at 200.
  scene s{l, {{0, class_id{0}, 100, {}, 0, &worth}, {60, class_id{0}, 100, {}, 2, &worth}}};
  s.run();
  ASSERT_EQ(s.log.records.size(), 2u);
  EXPECT_EQ(s.log.records[0].completed, 190u);
  EXPECT_TRUE(s.log.records[1].expired);
  EXPECT_EQ(s.log.records[1].completed, 235u);
}

layout that_dispatches(ticks each, const std::string& policy = "fcfs") {
  layout l = that_takes(0, 0, policy);
  l.decision_per_dispatch = each;
  return l;
}

TEST(decision, that_starts_several_jobs_sends_them_one_after_the_other) {
  // The job that needs both cores ends at 110; what starts then is sent at 120 and 130. The end at 130 is looked at
  // when all has been sent, and starts nobody.
  layout l = that_dispatches(10);
  l.needs = {2, 1};
  l.groups = {{"node", 1, 2, 1.0}};
  scene s{l, {{0, class_id{0}, 100}, {5, class_id{1}, 10}, {6, class_id{1}, 50}}};
  s.run();
  EXPECT_EQ(s.log.records, (std::vector<job_record>{{0, 0, 0, 10, 110}, {1, 1, 5, 120, 130}, {2, 1, 6, 130, 180}}));
  for (const job_record& job : s.log.records) EXPECT_EQ(job.waited, job.started - job.arrival);
}

TEST(decision, sends_the_slices_of_a_gang_together_when_the_time_of_all_has_passed) {
  layout l = that_dispatches(10);
  l.needs = {3};
  l.groups = {{"node", 3, 1, 1.0}};
  scene s{l, {{0, class_id{0}, 100}, {50, class_id{0}, 100}}};
  s.run();
  EXPECT_EQ(s.log.records, (std::vector<job_record>{{0, 0, 0, 30, 130}, {1, 0, 50, 160, 260}}));
}

TEST(decision, makes_events_wait_until_all_slices_have_been_sent) {
  // The arrival at 15 waits until the first job has been sent, at 30, and starts its own job then.
  layout l = that_dispatches(30);
  l.groups = {{"node", 2, 1, 1.0}};
  scene s{l, {{0, class_id{0}, 100}, {15, class_id{0}, 100}}};
  s.run();
  EXPECT_EQ(s.log.records, (std::vector<job_record>{{0, 0, 0, 30, 130}, {1, 0, 15, 60, 160}}));
}

TEST(decision, sends_the_servers_that_join_a_pooled_job_together) {
  layout l = that_dispatches(10, "fcfs_pooled");
  l.groups = {{"a"}, {"b"}};
  scene s{l, {{0, class_id{0}, 100}}};
  s.run();
  EXPECT_EQ(s.log.records, (std::vector<job_record>{{0, 0, 0, 20, 70}}));
}

TEST(decision, keeps_the_protocol_with_gangs_behind_links) {
  layout l = that_takes(3, 2, "adaptive_quickswap");
  l.needs = {4, 1};
  l.groups = {{"node", 3, 2, 1.0}};
  l.monitored = true;
  l.latency = 2;
  scene s{l, random_jobs(2000, 2, 60, 40)};
  s.run();
  EXPECT_EQ(s.log.records.size(), 2000u);
}

}  // namespace
}  // namespace muster
