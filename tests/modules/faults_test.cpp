#include <fmt/format.h>

#include "tests/modules/child.h"
#include "tests/modules/fault_script.h"
#include "tests/modules/scene.h"

// Servers that fail and are repaired: what becomes of the jobs that were there.

namespace muster {
namespace {

layout nodes(std::uint32_t count, script& faults) {
  layout l;
  l.groups = {{"node", count, 1, 1.0}};
  l.faults = &faults;
  l.monitored = true;
  return l;
}

/// For jobs of so many units, each worth as much as the others.
layout slotted_nodes(std::uint32_t count, script& faults, const std::string& policy, std::size_t units) {
  layout l = nodes(count, faults);
  l.policy = policy;
  l.worth = std::make_shared<utility>(std::vector<double>(units, 1.0));
  return l;
}

ticks down(const scene& s) {
  ticks sum = 0;
  for (const auto& bank : s.servers)
    for (std::uint32_t core = 0; core < bank->core_count(); ++core) sum += bank->down_time(core, s.time.now());
  return sum;
}

TEST(faults, a_job_begins_anew_when_its_server_has_been_repaired) {
  script faults{{{0, {{40, 20}}}}};
  scene s{nodes(1, faults), {{0, class_id{0}, 100}, {500, class_id{0}, 10}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].completed, 160u);
  EXPECT_EQ(s.log.records[0].started, 0u);
  EXPECT_EQ(s.log.records[0].failures, 1u);
  EXPECT_EQ(s.log.records[1].failures, 0u) << "of a job that may use the same payload";
  EXPECT_EQ(s.all_cores().running, 150u);
  EXPECT_EQ(down(s), 20u);
}

/// The first failure comes at 40, its repair takes 20, and what is next is beyond the range of the clock.
struct one_fault final : fault_clock {
  ticks to_failure(std::uint32_t) override { return std::exchange(next_failure, end_of_clock - 60); }
  ticks to_repair(std::uint32_t) override { return std::exchange(repair, end_of_clock); }
  ticks next_failure = 40, repair = 20;
};

TEST(faults, beyond_the_range_of_the_clock_never_come) {
  one_fault faults;
  layout l;
  l.faults = &faults;
  scene s{l, {{0, class_id{0}, 100}, {500, class_id{0}, 10}}};
  s.run();
  EXPECT_EQ(s.log.records[0].completed, 160u);
  EXPECT_EQ(s.log.records[1].completed, 510u);
}

TEST(faults, whose_repair_would_end_beyond_the_range_of_the_clock_last) {
  one_fault faults;
  faults.repair = end_of_clock;
  layout l;
  l.faults = &faults;
  scene s{l, {{0, class_id{0}, 30}, {35, class_id{0}, 10}}};
  sc_core::sc_start();
  ASSERT_EQ(s.log.records.size(), 1u);
  EXPECT_EQ(s.log.records[0].completed, 30u);
  EXPECT_EQ(s.time.now(), 40u);
}

TEST(faults, progress_is_kept_where_it_is_always_kept) {
  script faults{{{0, {{40, 20}, {70, 5}}}}};
  layout l = nodes(1, faults);
  l.checkpoint = 0;
  scene s{l, {{0, class_id{0}, 100}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].completed, 125u);
  EXPECT_EQ(s.log.records[0].failures, 2u);
}

TEST(faults, progress_is_lost_back_to_the_latest_checkpoint) {
  script faults{{{0, {{40, 20}, {70, 5}}}}};
  layout l = nodes(1, faults);
  l.checkpoint = 30;
  scene s{l, {{0, class_id{0}, 100}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].completed, 75u + 70u);  // the second failure comes 10 after the first checkpoint
}

TEST(faults, of_a_slow_server_cost_as_much_time_as_it_takes_to_do_the_work_again) {
  script faults{{{0, {{100, 20}}}}};
  layout l = nodes(1, faults);
  l.groups = {{"node", 1, 1, 0.5}};
  l.checkpoint = 30;
  scene s{l, {{0, class_id{0}, 100}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].completed, 120u + 140u);  // of the work of 50, 30 are kept
}

TEST(faults, a_gang_loses_all_its_slices_by_one_failure) {
  script faults{{{0, {{40, 20}}}}};
  layout l = nodes(2, faults);
  l.needs = {2};
  scene s{l, {{0, class_id{0}, 100}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].completed, 160u);
  EXPECT_EQ(s.all_cores().running, 280u);
}

TEST(faults, a_job_that_lost_its_server_waits_where_its_arrival_puts_it) {
  script faults{{{0, {{40, 500}}}}};
  scene s{nodes(2, faults), {{0, class_id{0}, 100}, {10, class_id{0}, 100}, {20, class_id{0}, 100}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].completed, 110u);
  EXPECT_EQ(s.log.records[1].completed, 210u);
  EXPECT_EQ(s.log.records[1].id, 0u);
  EXPECT_EQ(s.log.records[2].completed, 310u);
}

TEST(faults, nothing_starts_on_a_server_that_is_down) {
  script faults{{{0, {{10, 100}}}, {1, {{10, 300}}}}};
  scene s{nodes(2, faults), {{50, class_id{0}, 100}, {60, class_id{0}, 100}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].completed, 210u);
  EXPECT_EQ(s.log.records[1].completed, 310u);
  EXPECT_EQ(s.log.records[0].failures, 0u);
  EXPECT_EQ(down(s), 400u);
}

// Drains from 40 to 240: its cores are idle then, not down.
TEST(draining, lets_a_job_end_and_starts_nothing_until_the_server_returns) {
  script faults{{{0, {{40, 200, true}}}}};
  scene s{nodes(1, faults), {{0, class_id{0}, 100}, {50, class_id{0}, 10}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].completed, 100u);
  EXPECT_EQ(s.log.records[0].failures, 0u);
  EXPECT_EQ(s.log.records[1].started, 240u);
  EXPECT_EQ(s.log.records[1].completed, 250u);
  EXPECT_EQ(down(s), 0u);
}

TEST(draining, that_ends_before_the_job_does_delays_nothing) {
  script faults{{{0, {{40, 20, true}, {70, 20, true}}}}};
  scene s{nodes(1, faults), {{0, class_id{0}, 100}, {50, class_id{0}, 10}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].completed, 100u);
  EXPECT_EQ(s.log.records[1].completed, 110u);
}

TEST(draining, and_failures_may_follow_each_other) {
  script faults{{{0, {{40, 20, true}, {70, 30}, {120, 100, true}}}}};
  scene s{nodes(1, faults), {{0, class_id{0}, 100}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].completed, 200u) << "anew from 100 on";
  EXPECT_EQ(s.log.records[0].failures, 1u);
  EXPECT_EQ(down(s), 30u);
}

// Two units in the first slot and two in the second, in which one server drains; a second job has the other one.
TEST(draining, leaves_slotted_jobs_the_slot) {
  script faults{{{0, {{150, 1000, true}}}}};
  scene s{slotted_nodes(2, faults, "fifo", 4), {{0, class_id{0}, 400, {}, 0}, {10, class_id{0}, 400, {}, 0}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.of(0).completed, 200u);
  EXPECT_EQ(s.log.of(1).completed, 600u);
}

TEST(faults, a_job_that_resumes_fetches_its_state_and_one_that_begins_anew_is_set_up_again) {
  script faults{{{0, {{40, 20}}}}};
  for (const bool kept : {true, false})
    EXPECT_EQ(in_child([&] {
                layout l = nodes(1, faults);
                l.costs.set_up = 10;
                l.costs.restore = 3;
                l.costs.migration = 4;
                if (kept) l.checkpoint = 0;
                scene s{l, {{0, class_id{0}, 100}}};
                s.run_until(1000);
                return std::to_string(s.log.records[0].completed);
              }),
              kept ? "137" : "170");
}

TEST(faults, a_failure_while_the_state_is_saved_loses_it) {
  script faults{{{0, {{55, 5}}}}};
  layout l = nodes(1, faults);
  l.policy = "balanced_fair";
  l.interrupt_every = {50};
  l.costs.save = 10;
  scene s{l, {{0, class_id{0}, 60}}};
  s.run_until(1000);
  // From 60 on anew: interrupted at 110, saved at 120, the rest until 130.
  EXPECT_EQ(s.log.records[0].completed, 130u);
  EXPECT_EQ(s.log.records[0].failures, 0u);
}

// All work is done anew from 20 on: interrupted at 70, the job still has the 50 that it has done since.
TEST(faults, of_a_pooled_job_are_over_when_it_is_interrupted_later) {
  script faults{{{0, {{10, 10}}}}};
  layout l = nodes(1, faults);
  l.policy = "balanced_fair";
  l.interrupt_every = {50};
  scene s{l, {{0, class_id{0}, 60}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].completed, 80u);
  EXPECT_EQ(s.log.records[0].interruptions, 1u);
  EXPECT_EQ(s.log.records[0].failures, 1u);
}

// Interrupted at 16, when 0.4 ticks of work are left, of 10; at 18 it restores its state. What was saved counts as 9.
TEST(faults, leave_a_pooled_job_that_was_all_but_complete_a_tick_of_work) {
  script faults{{{0, {{18, 10}}}}};
  layout l = nodes(1, faults);
  l.groups = {{"node", 1, 1, 0.6}};
  l.policy = "balanced_fair";
  l.interrupt_every = {16};
  l.costs.restore = 5;
  scene s{l, {{0, class_id{0}, 10}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].completed, 28u + 5 + 2);
}

TEST(faults, of_one_of_a_pooled_jobs_servers_take_it_off_all) {
  for (const bool kept : {true, false})
    EXPECT_EQ(in_child([&] {
                script faults{{{0, {{20, 20}}}}};
                layout l = nodes(2, faults);
                l.policy = "fcfs_pooled";
                if (kept) l.checkpoint = 0;
                scene s{l, {{0, class_id{0}, 100}}};
                s.run_until(1000);
                const job_record& job = s.log.records[0];
                return fmt::format("{} {}", job.started, job.completed);
              }),
              kept ? "0 60" : "0 80");
}

TEST(faults, a_slotted_job_loses_what_the_core_did_in_the_slot) {
  script faults{{{0, {{150, 10}}}}};
  scene s{slotted_nodes(2, faults, "fifo", 4), {{0, class_id{0}, 400, {}, 0}}};
  s.run_until(1000);
  // Two units in the first slot, one in the second, and the one that was lost in the third.
  EXPECT_EQ(s.log.records[0].completed, 300u);
  EXPECT_EQ(s.log.records[0].earned, 4.0);
}

TEST(faults, leave_a_slotted_job_what_its_core_did_in_earlier_slots) {
  script faults{{{0, {{250, 40}}}}};
  scene s{slotted_nodes(1, faults, "fifo", 4), {{0, class_id{0}, 400, {}, 0}}};
  s.run_until(1000);
  // Two units by 200; the third begins anew in the fourth slot, and the last one follows.
  EXPECT_EQ(s.log.records[0].completed, 500u);
  EXPECT_EQ(s.log.records[0].earned, 4.0);
  EXPECT_EQ(s.all_cores().running, 250u + 200);
}

TEST(faults, cost_a_slotted_job_no_more_than_what_the_core_has_done) {
  script faults{{{0, {{50, 40}}}}};
  layout l = slotted_nodes(1, faults, "fifo", 2);
  l.costs.set_up = 20;
  scene s{l, {{0, class_id{0}, 200, {}, 0}}};
  s.run_until(1000);
  // Of the slot's 50 the core has worked 30; from 100 on it is set up again, until 120, and does all of the work.
  EXPECT_EQ(s.log.records[0].completed, 320u);
  EXPECT_EQ(s.all_cores().running, 30u + 200);
}

TEST(faults, give_a_slotted_job_another_idle_core_in_the_same_slot) {
  script faults{{{0, {{50, 200}}}}};
  scene s{slotted_nodes(2, faults, "fifo", 1), {{0, class_id{0}, 100, {}, 0}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].completed, 150u);
}

// Dispatched to server 0 at 0, which is down when it comes, at 30, and says so: known at 60. Server 1 is there at 90,
// and has no state to fetch.
TEST(faults, of_a_server_before_a_slotted_job_has_come_to_it_leave_no_state_there) {
  script faults{{{0, {{10, 500}}}}};
  layout l = slotted_nodes(2, faults, "fifo", 1);
  l.latency = 30;
  l.costs.migration = 50;
  scene s{l, {{0, class_id{0}, 100, {}, 0}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].completed, 220u);
  EXPECT_EQ(s.log.records[0].migrations, 0u);
}

// The first job gives one of its two cores to the second one at 100. That core saves until 120, and its server fails
// at 110: what it did in the slot before is kept. The second job has a core from 200 on.
TEST(faults, of_a_core_that_a_slotted_job_has_lost_already_cost_it_nothing) {
  script faults{{{1, {{110, 40}}}}};
  const utility four{std::vector<double>(4, 1.0)}, one{std::vector<double>(1, 1.0)};
  layout l = nodes(2, faults);
  l.policy = "edf";
  l.costs.save = 20;
  scene s{l, {{0, class_id{0}, 400, {}, 0, &four}, {50, class_id{0}, 100, {}, 9, &one}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.of(0).completed, 300u);
  EXPECT_EQ(s.log.of(1).completed, 300u);
}

// As often as a policy may leave idle cores to nobody while jobs wait.
constexpr ticks very_often = 100'000;

TEST(faults, may_last_for_any_number_of_arrivals) {
  script faults{{{0, {{1, 3 * very_often}}}}};
  layout l = nodes(1, faults);
  l.monitored = false;
  std::vector<job_request> jobs;
  for (ticks n = 0; n <= very_often; ++n) jobs.push_back({10 + n, class_id{0}, 1});
  scene s{l, jobs};
  s.run_until(5 * very_often);
  EXPECT_EQ(s.log.records.back().completed, 3 * very_often + 1 + jobs.size());
}

TEST(faults, may_last_for_any_number_of_slots) {
  script faults{{{0, {{50, 100 * very_often + 150}}}}};
  scene s{slotted_nodes(1, faults, "fifo", 2), {{0, class_id{0}, 200, {}, 0}}};
  s.run_until(100 * very_often + 1000);
  EXPECT_EQ(s.log.records[0].completed, 100 * very_often + 400);
}

TEST(faults, a_slot_without_any_core_is_waited_out) {
  script faults{{{0, {{50, 200}}}}};
  scene s{slotted_nodes(1, faults, "equal_partitioning", 2), {{0, class_id{0}, 200, {}, 0}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].completed, 500u);
}

TEST(faults, lose_no_job_under_any_policy_with_and_without_links) {
  for (const std::string policy :
       {"fcfs", "first_fit", "msf", "msfq", "adaptive_quickswap", "fcfs_pooled", "balanced_fair"})
    for (const ticks latency : {0, 7})
      for (unsigned seed = 1; seed <= 3; ++seed) {
        const std::string left = in_child([&] {
          script faults = random_faults(seed, 4, seed == 3);
          layout l = nodes(4, faults);
          l.policy = policy;
          l.latency = latency;
          l.costs.save = 5;
          if (seed != 2) l.checkpoint = seed == 1 ? 0 : 20;
          const bool pooled = find_policy(policy)->jobs() == job_kind::pooled;
          if (policy == "balanced_fair") l.interrupt_every = {30};
          if (!pooled) l.needs = policy == "msfq" ? std::vector<unsigned>{4, 1} : std::vector<unsigned>{4, 2, 1};
          scene s{l, random_jobs(100, l.needs.size(), 60, 80, seed)};
          s.run_until(60'000);
          unsigned failures = 0;
          for (const job_record& r : s.log.records) failures += r.failures;
          EXPECT_GT(failures, 0u);
          return std::to_string(100 - s.log.records.size());
        });
        EXPECT_EQ(left, "0") << policy << " latency " << latency << " seed " << seed;
      }
}

// Both servers have done 40 by the time of the first failure, and the other one goes on at once.
TEST(faults, of_pooled_jobs_lose_the_work_since_the_latest_checkpoint) {
  struct {
    ticks checkpoint;
    const char* completed;
  } const cases[] = {
      {20, "60"},   // 40 are kept: 20 by 40, then both: 40 in 20
      {30, "65"},   // 30: 20 by 40, then 50 in 25
      {40, "60"},   // 40
      {41, "80"},   // 0: 20 by 40, then 80 in 40
      {500, "80"},  // 0
  };
  for (const auto& c : cases)
    EXPECT_EQ(in_child([&] {
                script faults{{{0, {{20, 20}}}}};
                layout l = nodes(2, faults);
                l.policy = "fcfs_pooled";
                l.checkpoint = c.checkpoint;
                scene s{l, {{0, class_id{0}, 100}}};
                s.run_until(1000);
                EXPECT_EQ(s.log.records[0].failures, 1u);
                return std::to_string(s.log.records[0].completed);
              }),
              c.completed)
        << "checkpoint " << c.checkpoint;
}

TEST(faults, again_and_again_leave_a_pooled_job_what_earlier_checkpoints_kept) {
  // 30 are kept at 40, and nothing more at 60, after 15 of work; then 70 from 65 on.
  script faults{{{0, {{40, 5}, {60, 5}}}}};
  layout l = nodes(1, faults);
  l.policy = "fcfs_pooled";
  l.checkpoint = 30;
  scene s{l, {{0, class_id{0}, 100}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].completed, 65u + 70u);
  EXPECT_EQ(s.log.records[0].failures, 2u);
}

TEST(faults, do_not_undo_what_a_pooled_job_saved_between_two_checkpoints) {
  // Saved at 50; the failure at 55 undoes the 5 since then and not the 20 since the checkpoint at 30.
  script faults{{{0, {{55, 5}}}}};
  layout l = nodes(1, faults);
  l.policy = "balanced_fair";
  l.interrupt_every = {50};
  l.checkpoint = 30;
  scene s{l, {{0, class_id{0}, 100}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].completed, 60u + 50u);
  EXPECT_EQ(s.log.records[0].interruptions, 1u);
}

// At 96 less than half a unit of work is left: no checkpoint is a job's end.
TEST(faults, leave_work_to_do_of_a_job_that_was_almost_done) {
  for (const std::string policy : {"fcfs", "fcfs_pooled"})
    EXPECT_EQ(in_child([&] {
                script faults{{{0, {{96, 4}}}}};
                layout l = nodes(1, faults);
                l.groups = {{"node", 1, 1, 0.1}};
                l.policy = policy;
                l.checkpoint = 0;
                scene s{l, {{0, class_id{0}, 10}}};
                s.run_until(1000);
                return std::to_string(s.log.records[0].completed);
              }),
              "110")
        << policy;
}

TEST(faults, let_two_jobs_of_one_class_begin_again_in_the_order_of_their_arrival) {
  // Both servers are down from 40 on; one comes back at 60, the other at 500.
  for (const std::uint32_t first_back : {0u, 1u})
    EXPECT_EQ(in_child([&] {
                script faults{{{first_back, {{40, 20}}}, {1 - first_back, {{40, 460}}}}};
                scene s{nodes(2, faults), {{0, class_id{0}, 100}, {10, class_id{0}, 100}, {20, class_id{0}, 100}}};
                s.run_until(2000);
                return s.log.text();
              }),
              "{0, 0, 0, 0, 160, 0, 0}\n{1, 0, 10, 10, 260, 0, 0}\n{2, 0, 20, 260, 360, 0, 0}\n")
        << first_back;
}

// From 20 on on the server that is in order: 10 to prepare, 20 of work by 50. The other one has been repaired at 40 and
// is prepared by 50. Then both do the 40 that are left of the 60 behind the checkpoint.
TEST(faults, leave_no_server_with_the_state_of_a_pooled_job_that_begins_again_from_its_checkpoint) {
  script faults{{{0, {{20, 20}}}}};
  layout l = nodes(2, faults);
  l.policy = "fcfs_pooled";
  l.checkpoint = 40;
  l.costs.migration = 7;
  l.costs.restore = 3;
  scene s{l, {{0, class_id{0}, 100}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].completed, 70u);
  EXPECT_EQ(s.log.records[0].migrations, 2u);
}

// The failure comes at the instant at which the second job is complete.
TEST(faults, take_nothing_from_a_job_that_is_complete_at_that_instant) {
  for (const std::string policy : {"fcfs", "fcfs_pooled"})
    EXPECT_EQ(in_child([&] {
                script faults{{{0, {{100, 20}}}}};
                layout l = nodes(1, faults);
                l.policy = policy;
                scene s{l, {{0, class_id{0}, 50}, {0, class_id{0}, 50}}};
                s.run_until(1000);
                EXPECT_EQ(s.log.records.at(1).failures, 0u);
                return std::to_string(s.log.records.at(1).completed);
              }),
              "100")
        << policy;
}

// It has saved all of the 50, and has resumed, when the server fails: 10 are left from 60 on.
TEST(faults, come_after_an_interruption_at_that_instant) {
  script faults{{{0, {{50, 10}}}}};
  layout l = nodes(1, faults);
  l.policy = "balanced_fair";
  l.interrupt_every = {50};
  l.checkpoint = 30;
  scene s{l, {{0, class_id{0}, 60}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].completed, 70u);
  EXPECT_EQ(s.log.records[0].interruptions, 1u);
}

TEST(faults, are_over_for_a_dispatch_that_comes_at_the_instant_of_the_repair) {
  script faults{{{0, {{5, 5}}}}};
  layout l = nodes(1, faults);
  l.latency = 10;
  scene s{l, {{0, class_id{0}, 100}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].completed, 10u + 100 + 10);
  EXPECT_EQ(s.log.records[0].failures, 0u);
}

// The server is down from 5 to 25; over a link of 10 the dispatch reaches it at 10, and the refusal is back at 20.
TEST(faults, a_slotted_job_whose_first_slice_reaches_a_server_that_is_down_is_served_from_the_next_slot_on) {
  script faults{{{0, {{5, 20}}}}};
  layout l = nodes(1, faults);
  l.policy = "fifo";
  l.slot = 100;
  l.latency = 10;
  const utility worth{{1.0}};
  scene s{l, {{0, class_id{0}, 100, {}, 0, &worth}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].started, 0u);
  EXPECT_EQ(s.log.records[0].completed, 100u + 10 + 100 + 10);
  EXPECT_EQ(s.all_cores().running, 100u);
  EXPECT_EQ(down(s), 20u);
}

}  // namespace
}  // namespace muster
