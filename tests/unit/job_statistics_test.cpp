#include "platform/simulation/job_statistics.h"

#include <tuple>

#include <gtest/gtest.h>

namespace muster {
namespace {

/// A job of class `type` that has waited and held cores for so long leaves.
void leave(job_statistics& kept, std::uint32_t type, ticks waited, ticks held) {
  job_extension j;
  j.type = class_id{type};
  j.descriptor = {type, 1};
  j.arrival = 100;
  j.started = j.arrival + waited;
  j.count_holding();
  j.held.total = held;
  kept.job_arrives(j.arrival, j);
  kept.job_completes(j.arrival + waited + held, j);
}

TEST(job_statistics, of_all_classes_together_hold_every_sum_of_each) {
  table<class_id, class_record> classes(2);
  unsigned value = 0;
  for (class_record& r : classes) {
    r.completed = value += 1, r.expired = value += 1, r.interruptions = value += 1, r.migrations = value += 1;
    r.failures = value += 1, r.preemptions = value += 1, r.response = value += 1, r.waiting = value += 1;
    r.to_start = value += 1, r.slowdown = value += 1, r.work = value += 1, r.presence = value += 1;
    r.time_inside = value += 1, r.utility = value += 1, r.longest_wait = value += 1;
    r.response_squares = value += 1;
    r.times.back() = value += 1;
    r.responses.add(value);
    r.waits.add(value);
  }
  const class_record all = sum_of(classes);
  const auto& [a, b] = std::tie(classes[class_id{0}], classes[class_id{1}]);
  EXPECT_EQ(all.completed, a.completed + b.completed);
  EXPECT_EQ(all.expired, a.expired + b.expired);
  EXPECT_EQ(all.interruptions, a.interruptions + b.interruptions);
  EXPECT_EQ(all.migrations, a.migrations + b.migrations);
  EXPECT_EQ(all.failures, a.failures + b.failures);
  EXPECT_EQ(all.preemptions, a.preemptions + b.preemptions);
  EXPECT_TRUE(all.response == a.response + b.response);
  EXPECT_TRUE(all.waiting == a.waiting + b.waiting);
  EXPECT_TRUE(all.to_start == a.to_start + b.to_start);
  EXPECT_EQ(all.slowdown, a.slowdown + b.slowdown);
  EXPECT_EQ(all.response_squares, a.response_squares + b.response_squares);
  EXPECT_TRUE(all.work == a.work + b.work);
  EXPECT_TRUE(all.presence == a.presence + b.presence);
  EXPECT_TRUE(all.time_inside == a.time_inside + b.time_inside);
  EXPECT_TRUE(all.utility == a.utility + b.utility);
  EXPECT_TRUE(all.times.back() == a.times.back() + b.times.back());
  EXPECT_EQ(all.longest_wait, b.longest_wait);
  EXPECT_EQ(all.responses.total(), 2u);
  EXPECT_EQ(all.waits.total(), 2u);
  // What was added since nothing is all of it.
  EXPECT_TRUE(a.since({}).time_inside == a.time_inside);
  EXPECT_TRUE(a.since({}).utility == a.utility);
  EXPECT_TRUE(a.since({}).times.back() == a.times.back());
}

TEST(job_statistics, know_the_waiting_times_of_jobs_that_do_not_wait_too) {
  job_statistics kept(1);
  for (int n = 0; n < 60; ++n) leave(kept, 0, 0, 5);
  for (ticks waited = 1; waited <= 40; ++waited) leave(kept, 0, waited, 5);
  const class_record& r = kept.classes()[class_id{0}];
  EXPECT_TRUE(r.waiting == 820);
  EXPECT_TRUE(r.to_start == 820);
  EXPECT_EQ(r.waiting_quantile(0.5), 0.0);
  EXPECT_EQ(r.waiting_quantile(0.6), 0.0);
  EXPECT_NEAR(r.waiting_quantile(0.95), 35.0, 1.0);
  EXPECT_EQ(r.longest_wait, 40u);
}

TEST(job_statistics, leave_out_the_waiting_times_of_the_warm_up) {
  job_statistics kept(1);
  kept.open_after(1, [] {});
  leave(kept, 0, 70, 5);
  leave(kept, 0, 20, 5);
  const class_record& r = kept.classes()[class_id{0}];
  EXPECT_EQ(r.longest_wait, 20u);
  EXPECT_EQ(r.waits.total(), 1u);
}

}  // namespace
}  // namespace muster
