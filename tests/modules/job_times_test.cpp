#include <functional>
#include <numeric>
#include <string>

#include "tests/modules/child.h"
#include "tests/modules/fault_script.h"
#include "tests/modules/scene.h"

// What each job's time is spent on, in scenes that can be worked out by hand: jobs that draw their servers, slotted
// jobs, and servers that fail.

namespace muster {
namespace {

ticks waited_in_parts(const job_record& job) {
  const auto part = [&](time_part of) { return job.spent[static_cast<std::size_t>(of)]; };
  return part(time_part::decision) + part(time_part::no_core) + part(time_part::fragmentation) +
         part(time_part::behind_others);
}

/// Parts of a job's time, such as "running 4, no_core 2"; checks that they add up.
std::string parts_of(const job_record& job) {
  constexpr const char* words[] = {"running", "overhead", "network",       "decision",
                                   "failure", "no_core",  "fragmentation", "behind_others"};
  std::ostringstream text;
  for (std::size_t part = 0; part < time_parts; ++part)
    if (job.spent[part] > 0) text << (text.tellp() > 0 ? ", " : "") << words[part] << ' ' << job.spent[part];
  EXPECT_EQ(std::accumulate(job.spent.begin(), job.spent.end(), ticks{0}), job.completed - job.arrival) << text.str();
  EXPECT_EQ(waited_in_parts(job), job.waited) << text.str();
  return text.str();
}

/// @return what `told` says of each job, in the order of arrival
std::string told_of(const layout& l, const std::vector<job_request>& requests,
                    const std::function<std::string(const job_record&)>& told) {
  return in_child([&] {
    scene s{l, requests};
    s.run_until(10'000);
    std::vector<std::string> all(s.log.records.size());
    for (const job_record& job : s.log.records) all[job.id] = told(job) + '\n';
    return std::accumulate(all.begin(), all.end(), std::string());
  });
}

/// @return a line for each job, in the order of arrival
std::string times_of(layout l, const std::vector<job_request>& requests) {
  const auto waited = [](const job_record& job) { return std::to_string(job.waited); };
  const std::string unexplained = told_of(l, requests, waited);
  l.accounts_times = true;
  EXPECT_EQ(told_of(l, requests, waited), unexplained) << "waiting is measured whether or not times are accounted for";
  return told_of(l, requests, parts_of);
}

layout drawing(std::vector<server_group> groups, unsigned drawn) {
  layout l;
  l.policy = "fcfs_pooled";
  l.groups = std::move(groups);
  l.drawn = drawn;
  return l;
}

TEST(job_times, of_pooled_jobs_are_running_while_any_of_their_servers_runs) {
  // The second job starts on c alone; b comes when the first job has ended, at 100. The third waits for a until then.
  EXPECT_EQ(times_of(drawing({{"a"}, {"b"}, {"c"}}, 2),
                     {{0, class_id{0}, 200, {0, 1}}, {10, class_id{0}, 200, {1, 2}}, {20, class_id{0}, 10, {0, 1}}}),
            "running 100\nrunning 145\nrunning 10, no_core 80\n");
}

TEST(job_times, of_a_job_whose_own_servers_are_busy_hold_fragmentation_while_another_one_is_idle) {
  // Server b is idle but from 30 to 50.
  EXPECT_EQ(times_of(drawing({{"a"}, {"b"}}, 1),
                     {{0, class_id{0}, 100, {0}}, {10, class_id{0}, 10, {0}}, {30, class_id{0}, 20, {1}}}),
            "running 100\nrunning 10, no_core 20, fragmentation 70\nrunning 20\n");
}

/// Lets servers idle for 50 ticks after each arrival and each end of a slice.
struct hesitating final : pooled_policy {
  void arrived(const job&, pooled_view cluster, pooled_decisions& decide) override {
    decide.wake_at(cluster.now() + 50, 0);
  }
  void freed(group_id, pooled_view cluster, pooled_decisions& decide) override {
    decide.wake_at(cluster.now() + 50, 0);
  }
  void completed(const job&, pooled_view, pooled_decisions&) override {}
  void woken(std::uint32_t, pooled_view cluster, pooled_decisions& decide) override {
    for (const group_id servers : {group_id{0}, group_id{1}})
      if (const job* first = cluster.first(servers); first && cluster.idle(servers)) decide.join(*first, servers);
  }
};

TEST(job_times, of_a_job_whose_own_server_is_left_idle_hold_waiting_behind_others) {
  // The first job runs from 50 to 150; the second finds its server idle until 50, and from 150 to 200.
  layout l = drawing({{"a"}, {"b"}}, 1);
  l.own_policy = &own_policy<hesitating>();
  EXPECT_EQ(times_of(l, {{0, class_id{0}, 100, {0}}, {20, class_id{0}, 10, {0}}}),
            "running 100, behind_others 50\nrunning 10, fragmentation 100, behind_others 80\n");
}

TEST(job_times, of_an_interrupted_job_are_overhead_while_it_saves_and_restores_its_state) {
  // Interrupted at 30 and saved by 34, the first job is behind the second one, which has set-up 3 and is interrupted
  // at 67 with 10 left; then each restores in 2 and runs for what is left.
  layout l;
  l.policy = "balanced_fair";
  l.interrupt_every = {30};
  l.costs.save = 4;
  l.costs.set_up = 3;
  l.costs.restore = 2;
  EXPECT_EQ(times_of(l, {{0, class_id{0}, 50}, {10, class_id{0}, 20}}),
            "running 50, overhead 9, no_core 23\nrunning 20, overhead 3, no_core 27\n");
}

TEST(job_times, of_a_pooled_job_are_running_while_another_of_its_servers_wakes) {
  // Server c, idle since 0, wakes until 65; b has run since 60. Of 105 they do 5 by then, and 100 by 115.
  layout l = drawing({{"a"}, {"b"}, {"c"}}, 2);
  l.costs.sleep_after = 50;
  l.costs.wake = 5;
  EXPECT_EQ(times_of(l, {{0, class_id{0}, 100, {0, 1}}, {60, class_id{0}, 105, {1, 2}}}), "running 50\nrunning 55\n");
}

TEST(job_times, of_a_gang_are_network_until_the_response_of_its_last_slice_has_come) {
  // The first job is sent at 2, runs from 32 to 42 and has its response at 72. The second is ordered then, sent at 74
  // and comes at 104; a is awake, b wakes until 109. Their responses come, and are processed, at 234 and 239.
  layout l;
  l.needs = {2, 1};
  l.groups = {{"a"}, {"b"}};
  l.latency = 30;
  l.decision = 2;
  l.costs.sleep_after = 70;
  l.costs.wake = 5;
  EXPECT_EQ(times_of(l, {{0, class_id{1}, 10}, {60, class_id{0}, 100}}),
            "running 10, network 60, decision 2\n"
            "running 100, overhead 5, network 60, decision 2, no_core 12\n");
}

TEST(job_times, of_a_job_whose_slices_wait_to_be_dispatched_are_decision) {
  // The second job's arrival waits until both slices of the first one have been sent, at 60; its own is sent at 90.
  layout l;
  l.needs = {2, 1};
  l.groups = {{"a", 3, 1, 1.0}};
  l.decision_per_dispatch = 30;
  EXPECT_EQ(times_of(l, {{0, class_id{0}, 100}, {10, class_id{1}, 100}}),
            "running 100, decision 60\nrunning 100, decision 80\n");
}

TEST(job_times, of_a_job_whose_response_waits_for_the_scheduler_hold_it_as_decision_and_waiting) {
  // Sent at 10 and 20; the scheduler is at the end of the first job from 110 to 120, when the second one ends, at 115.
  layout l;
  l.needs = {1};
  l.groups = {{"a", 2, 1, 1.0}};
  l.decision = 10;
  EXPECT_EQ(times_of(l, {{0, class_id{0}, 100}, {0, class_id{0}, 95}}),
            "running 100, decision 10\nrunning 95, decision 25\n");
}

layout machines(std::uint32_t count, const std::string& policy) {
  layout l;
  l.groups = {{"machine", count, 1, 1.0}};
  l.policy = policy;
  return l;
}

const utility one{std::vector<double>(1, 1.0)}, two{std::vector<double>(2, 1.0)}, four{std::vector<double>(4, 1.0)};

TEST(job_times, of_a_slotted_job_hold_waiting_for_its_first_slot_and_end_where_it_expires) {
  // The job waits for the slot that begins at 100, though the core is idle, and has done one unit of two by 200.
  EXPECT_EQ(times_of(machines(1, "fifo"), {{50, class_id{0}, 200, {}, 2, &two}}), "running 100, behind_others 50\n");
  layout l = machines(1, "fifo");
  l.costs.dispatch_latency = 20;
  EXPECT_EQ(times_of(l, {{50, class_id{0}, 200, {}, 2, &two}}), "running 80, overhead 20, behind_others 50\n");
}

TEST(job_times, of_a_slotted_job_that_expires_without_a_core_are_all_waiting) {
  EXPECT_EQ(times_of(machines(1, "fifo"), {{0, class_id{0}, 200, {}, 0, &two}, {20, class_id{0}, 100, {}, 2, &one}}),
            "running 200\nno_core 180\n");
}

TEST(job_times, of_a_job_that_arrives_too_late_to_be_served_are_waiting_until_its_deadline) {
  EXPECT_EQ(times_of(machines(1, "fifo"), {{150, class_id{0}, 100, {}, 2, &one}}), "behind_others 50\n");
}

struct fault_scene {
  fault_scene(std::map<std::uint32_t, std::vector<script::fault>> faults, std::uint32_t nodes)
      : all(std::move(faults)) {
    l.groups = {{"node", nodes, 1, 1.0}};
    l.faults = &all;
  }
  script all;
  layout l;
};

TEST(job_times, of_work_that_a_failure_undoes_become_failure) {
  fault_scene s({{0, {{40, 20}}}}, 1);
  EXPECT_EQ(times_of(s.l, {{0, class_id{0}, 100}}), "running 100, failure 40, no_core 20\n");
}

TEST(job_times, of_work_that_a_checkpoint_keeps_stay_running) {
  // 30 of 40 are kept at 40; at 70, 40 have been done and 30 are kept.
  fault_scene s({{0, {{40, 20}, {70, 5}}}}, 1);
  s.l.checkpoint = 30;
  EXPECT_EQ(times_of(s.l, {{0, class_id{0}, 100}}), "running 100, failure 20, no_core 25\n");
}

TEST(job_times, of_checkpoints_that_take_time_are_overhead) {
  // Checkpoints at 30, 60 and 90 of 100 take 4 each.
  fault_scene s({}, 1);
  s.l.checkpoint = 30;
  s.l.costs.checkpoint = 4;
  EXPECT_EQ(times_of(s.l, {{0, class_id{0}, 100}}), "running 100, overhead 12\n");
}

TEST(job_times, of_a_gang_whose_servers_differ_are_overhead_while_any_of_them_writes_a_checkpoint) {
  // All slices run at the speed of the slowest, and write at 60 and 124.
  fault_scene s({}, 1);
  s.l.needs = {2};
  s.l.groups = {{"a", 1, 1, 1.0}, {"b", 1, 1, 0.5}};
  s.l.checkpoint = 30;
  s.l.costs.checkpoint = 4;
  EXPECT_EQ(times_of(s.l, {{0, class_id{0}, 70}}), "running 140, overhead 8\n");
}

TEST(job_times, of_work_up_to_a_checkpoint_become_failure_where_it_has_not_been_written_to_its_end) {
  // The server fails at 32, while it writes: nothing is kept. The job begins again at 52 and has written by 86; the
  // failure at 100 undoes the 14 since then. It goes on at 105 and writes at 135 and 169.
  fault_scene s({{0, {{32, 20}, {100, 5}}}}, 1);
  s.l.checkpoint = 30;
  s.l.costs.checkpoint = 4;
  EXPECT_EQ(times_of(s.l, {{0, class_id{0}, 100}}), "running 100, overhead 14, failure 44, no_core 25\n");
}

TEST(job_times, of_work_undone_on_a_slow_server_are_as_long_as_it_took) {
  // Of the 50 units of work done by 100, 30 are kept.
  fault_scene s({{0, {{100, 20}}}}, 1);
  s.l.groups = {{"node", 1, 1, 0.5}};
  s.l.checkpoint = 30;
  EXPECT_EQ(times_of(s.l, {{0, class_id{0}, 100}}), "running 200, failure 40, no_core 20\n");
}

TEST(job_times, of_a_gang_hold_failure_once_though_all_its_slices_lose_what_they_did) {
  fault_scene s({{0, {{40, 20}}}}, 2);
  s.l.needs = {2};
  EXPECT_EQ(times_of(s.l, {{0, class_id{0}, 100}}), "running 100, failure 40, no_core 20\n");
}

TEST(job_times, of_a_pooled_job_hold_failure_for_all_that_it_did_since_it_got_its_servers) {
  // Both servers do 40 by 20, in vain; one is alone until 50 and does 30, and both need 35 for the rest.
  fault_scene s({{0, {{20, 30}}}}, 2);
  s.l.policy = "fcfs_pooled";
  EXPECT_EQ(times_of(s.l, {{0, class_id{0}, 100}}), "running 65, failure 20\n");
}

TEST(job_times, of_a_pooled_job_hold_the_share_of_its_time_that_no_checkpoint_keeps) {
  // 30 of 40 are kept: a quarter of the first 20 is lost. Alone until 50 it does 30; both need 20 for the rest.
  fault_scene s({{0, {{20, 30}}}}, 2);
  s.l.policy = "fcfs_pooled";
  s.l.checkpoint = 30;
  EXPECT_EQ(times_of(s.l, {{0, class_id{0}, 100}}), "running 65, failure 5\n");
}

TEST(job_times, of_a_slotted_job_hold_failure_where_its_only_core_fails) {
  // What it did since 200 is lost at 250; it has its core again from the slot at 300.
  fault_scene s({{0, {{250, 40}}}}, 1);
  s.l.policy = "fifo";
  EXPECT_EQ(times_of(s.l, {{0, class_id{0}, 400, {}, 0, &four}}),
            "running 400, failure 50, no_core 40, behind_others 10\n");
}

TEST(job_times, of_a_slotted_job_hold_no_failure_while_another_core_runs_on) {
  // The core that fails at 150 leaves the other one at work until 200; the unit that was lost is done by 300.
  fault_scene s({{0, {{150, 10}}}}, 2);
  s.l.policy = "fifo";
  EXPECT_EQ(times_of(s.l, {{0, class_id{0}, 400, {}, 0, &four}}), "running 300\n");
}

TEST(job_times, of_a_slotted_job_whose_last_core_fails_hold_failure_for_as_long_as_that_one_was_alone) {
  // Core 0 fails at 120; core 1 is alone from then until it fails at 150. It is there again from 170 on, and has the
  // job from the slot at 200 on, of which two units are done.
  fault_scene s({{0, {{120, 5000}}}, {1, {{150, 20}}}}, 2);
  s.l.policy = "fifo";
  EXPECT_EQ(times_of(s.l, {{0, class_id{0}, 400, {}, 0, &four}}),
            "running 320, failure 30, no_core 20, behind_others 30\n");
}

TEST(job_times, of_a_slotted_job_hold_no_more_failure_than_its_last_core_cost_it) {
  // Both cores fail in the first slot, the last one after 10 alone; they are there again from 40 on. In the second slot
  // core 0 fails, and the other one does a unit. The third slot does two units, the fourth one the last.
  fault_scene s({{0, {{20, 20}, {150, 10}}}, {1, {{30, 10}}}}, 2);
  s.l.policy = "fifo";
  EXPECT_EQ(times_of(s.l, {{0, class_id{0}, 400, {}, 0, &four}}),
            "running 320, failure 10, no_core 10, behind_others 60\n");
}

}  // namespace
}  // namespace muster
