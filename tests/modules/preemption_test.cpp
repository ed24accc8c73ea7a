#include <functional>
#include <map>

#include <fmt/format.h>

#include "tests/modules/child.h"
#include "tests/modules/fault_script.h"
#include "tests/modules/foreign_server.h"
#include "tests/modules/reports.h"
#include "tests/modules/scene.h"

// Rigid jobs that the policy preempts or kills, traced by hand.

namespace muster {
namespace {

/// Starts jobs in the order of their classes while they fit, and takes cores from them at given times.
class scripted : public rigid_policy {
 public:
  struct order {
    ticks at;
    std::uint64_t job;
    bool kills = false;
    bool holds_back = true;  ///< the class, until a job has completed
    queue_place where = queue_place::by_arrival;
  };
  inline static std::vector<order> script;
  inline static std::string calls;  ///< those that are about jobs that lost their cores

  void arrived(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    if (jobs_.empty())
      for (std::uint32_t n = 0; n < script.size(); ++n) decide.wake_at(script[n].at, n);
    jobs_[j.id] = &j;
    schedule(cluster, decide);
  }
  void completed(const job&, rigid_view cluster, rigid_decisions& decide) override {
    held_back_.clear();
    schedule(cluster, decide);
  }
  void interrupted(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    calls += fmt::format("{} interrupted at {}. ", j.id, cluster.now());
    schedule(cluster, decide);
  }
  void preempted(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    calls += fmt::format("{} preempted at {}. ", j.id, cluster.now());
    schedule(cluster, decide);
  }
  void woken(std::uint32_t n, rigid_view, rigid_decisions& decide) override {
    const order& o = script[n];
    const job& j = *jobs_.at(o.job);
    if (o.holds_back) held_back_[j.type] = true;
    if (o.kills)
      decide.kill(j, o.where);
    else
      decide.preempt(j, o.where);
  }

 private:
  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    for (const class_id id : cluster.classes())
      for (const job* next; !held_back_[id] && (next = cluster.first(id)) && cluster.fits(*next);) decide.start(*next);
  }

  std::map<std::uint64_t, const job*> jobs_;
  std::map<class_id, bool> held_back_;
};

/// What servers take for the state of a job that loses its cores.
struct state_costs {
  ticks save = 0, restore = 0, migration = 0;
};

/// A server of two cores; a class that needs both and one that needs one.
layout two_cores(std::vector<scripted::order> script, const state_costs& costs = {}) {
  scripted::script = std::move(script);
  scripted::calls.clear();
  layout l;
  l.needs = {2, 1};
  l.groups = {{"node", 1, 2, 1.0}};
  l.own_policy = &preemptive_policy<scripted>();
  l.costs.save = costs.save;
  l.costs.restore = costs.restore;
  l.costs.migration = costs.migration;
  return l;
}

/// The first job needs both cores for 100 from 0 on, the second one core for 30 from 40 on.
const std::vector<job_request> two_jobs{{0, class_id{0}, 100}, {40, class_id{1}, 30}};

using records = std::vector<job_record>;

// The second job has its core from 50 to 80; then the first one resumes with 50 left.
TEST(preemption, that_costs_nothing_takes_no_time_and_no_overhead) {
  scene s{two_cores({{50, 0}}), two_jobs};
  s.run();
  EXPECT_EQ(s.log.records, (records{{1, 1, 40, 50, 80}, {0, 0, 0, 0, 130}}));
  EXPECT_EQ(s.log.records[1].preemptions, 1u);
  EXPECT_EQ(s.log.records[0].preemptions, 0u);
  EXPECT_EQ(s.log.records[1].interruptions, 0u);
  EXPECT_EQ(s.all_cores().running, 2 * 100u + 30);
  EXPECT_EQ(s.all_cores().overhead, 0u);
  EXPECT_EQ(scripted::calls, "0 preempted at 50. ");
}

// 11 of overhead, so that 39 of work are done by 50, and saved by 55. The second job is prepared by 66 and done at 96;
// the first resumes within 4 and has 61 left.
TEST(preemption, costs_what_its_servers_take_to_save_and_to_restore) {
  layout l = two_cores({{50, 0}}, {5, 3, 7});
  l.costs.dispatch_latency = 1;
  l.costs.set_up = 10;
  scene s{l, two_jobs};
  s.run();
  EXPECT_EQ(s.log.records, (records{{1, 1, 40, 55, 96}, {0, 0, 0, 0, 161}}));
  EXPECT_EQ(s.all_cores().running, 2 * 100u + 30);
  EXPECT_EQ(s.all_cores().overhead, 2 * (11u + 5 + 4) + 11);
  EXPECT_EQ(scripted::calls, "0 preempted at 55. ");
}

TEST(preemption, of_a_job_that_is_not_prepared_yet_saves_nothing_and_sets_it_up_again) {
  layout l = two_cores({{50, 0}}, {5, 3});
  l.costs.set_up = 60;
  scene s{l, two_jobs};
  s.run();
  // The second from 50 on: 60 and 30; then the first: 60 and 100.
  EXPECT_EQ(s.log.records, (records{{1, 1, 40, 50, 140}, {0, 0, 0, 0, 300}}));
}

// On capacity 0.5, 58 of the 200 ticks do 29 of the 100; on the way through a quotient of doubles these are 28.99...
TEST(preemption, keeps_every_whole_tick_of_work_that_was_done) {
  layout l = two_cores({{58, 0}});
  l.groups = {{"node", 1, 2, 0.5}};
  scene s{l, two_jobs};
  s.run();
  EXPECT_EQ(s.log.records, (records{{1, 1, 40, 58, 118}, {0, 0, 0, 0, 118 + 142}}));
}

TEST(preemption, by_loss_of_work_costs_all_of_it_and_saves_nothing) {
  scene s{two_cores({{50, 0, true}}, {5, 3, 7}), two_jobs};
  s.run();
  EXPECT_EQ(s.log.records, (records{{1, 1, 40, 50, 80}, {0, 0, 0, 0, 180}}));
  EXPECT_EQ(s.log.records[1].preemptions, 1u);
  EXPECT_EQ(s.all_cores().overhead, 0u);
}

// No server holds the checkpoint at 30, which is fetched and restored: 70 are left from 90 on. The later jobs may use
// the first one's payload, but not its numbers.
TEST(preemption, by_loss_of_work_keeps_that_up_to_the_latest_checkpoint) {
  layout l = two_cores({{50, 0, true}}, {5, 3, 7});
  l.checkpoint = 30;
  scene s{l, {{0, class_id{0}, 100}, {40, class_id{1}, 30}, {500, class_id{1}, 10}, {600, class_id{1}, 10}}};
  s.run();
  EXPECT_EQ(s.log.records,
            (records{{1, 1, 40, 50, 80}, {0, 0, 0, 0, 160, 0, 1}, {2, 1, 500, 500, 510}, {3, 1, 600, 600, 610}}));
}

// Preempted at 50 with 50 done, resumed at 80, killed at 100 with 20 more: it begins again from the 50, which the
// server still holds.
TEST(preemption, by_loss_of_work_keeps_what_had_been_saved_before) {
  scene s{two_cores({{50, 0}, {100, 0, true}}, {0, 3, 7}),
          {{0, class_id{0}, 100}, {40, class_id{1}, 30}, {99, class_id{1}, 10}}};
  s.run();
  EXPECT_EQ(s.log.records, (records{{1, 1, 40, 50, 80}, {2, 1, 99, 100, 110}, {0, 0, 0, 0, 110 + 3 + 50}}));
  EXPECT_EQ(s.log.records[2].preemptions, 2u);
}

// The checkpoint at 60 is behind what was saved at 50: that is fetched again, and of use to nobody any more.
TEST(preemption, by_loss_of_work_leaves_no_server_with_a_state_older_than_the_checkpoint) {
  layout l = two_cores({{50, 0}, {100, 0, true}}, {0, 3, 7});
  l.checkpoint = 60;
  scene s{l, {{0, class_id{0}, 100}, {40, class_id{1}, 30}, {99, class_id{1}, 10}}};
  s.run();
  EXPECT_EQ(s.log.records, (records{{1, 1, 40, 50, 80}, {2, 1, 99, 100, 110}, {0, 0, 0, 0, 110 + 10 + 40, 0, 1}}));
}

// The first job leaves at 50, when it is killed; the third one, which may use its payload, is complete.
TEST(preemption, lets_a_job_that_is_killed_for_good_leave_with_what_it_has_done) {
  layout l = two_cores({{50, 0, true, true, queue_place::nowhere}}, {5, 3, 7});
  scene s{l, {{0, class_id{0}, 100}, {40, class_id{1}, 30}, {200, class_id{0}, 10}}};
  s.run();
  EXPECT_EQ(s.log.records, (records{{0, 0, 0, 0, 50}, {1, 1, 40, 50, 80}, {2, 0, 200, 200, 210}}));
  for (std::size_t n = 0; n < 3; ++n) {
    EXPECT_EQ(s.log.records[n].killed, n == 0);
    EXPECT_EQ(s.log.records[n].preemptions, n == 0 ? 1u : 0u);
  }
  EXPECT_EQ(s.all_cores().running, 2 * 50u + 30 + 2 * 10);
  EXPECT_EQ(scripted::calls, "");
}

TEST(preemption, puts_a_job_where_its_arrival_puts_it_or_to_the_tail) {
  for (const auto where : {queue_place::by_arrival, queue_place::at_tail})
    EXPECT_EQ(in_child([&] {
                layout l = two_cores({{50, 0, false, false, where}});
                scene s{l, {{0, class_id{0}, 100}, {1, class_id{0}, 10}, {2, class_id{0}, 20}}};
                s.run();
                return s.log.text();
              }),
              where == queue_place::by_arrival
                  ? "{0, 0, 0, 0, 100, 0, 0}\n{1, 0, 1, 100, 110, 0, 0}\n{2, 0, 2, 110, 130, 0, 0}\n"
                  : "{1, 0, 1, 50, 60, 0, 0}\n{2, 0, 2, 60, 80, 0, 0}\n{0, 0, 0, 0, 130, 0, 0}\n");
}

/// Preempts all jobs in service at the first completion, the latest first, and notes who waits at each call of
/// preempted().
class takes_all : public rigid_policy {
 public:
  inline static std::string seen;

 private:
  void completed(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    if (j.id > 0) return schedule(cluster, decide);
    std::vector<const job*> all;
    for (const job* n = cluster.running(class_id{0}); n; n = n->behind) all.push_back(n);
    for (auto n = all.rbegin(); n != all.rend(); ++n) decide.preempt(**n);
  }
  void preempted(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    seen += fmt::format("{}: {} wait. ", j.id, cluster.waiting(class_id{0}));
    if (seen.size() > 15) schedule(cluster, decide);
  }
  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    while (const job* next = cluster.earliest_fitting()) decide.start(*next);
  }
};

// The bank whose slice has ended reports the others one after the other, over the hop as directly.
TEST(preemption, at_a_completion_lets_all_leave_before_the_policy_is_called) {
  for (const bool monitored : {false, true})
    for (const bool several_banks : {false, true})
      EXPECT_EQ(in_child([&] {
                  layout l;
                  if (several_banks)
                    l.groups = {{"a"}, {"b"}, {"c"}};
                  else
                    l.groups = {{"node", 3, 1, 1.0}};
                  l.own_policy = &preemptive_policy<takes_all>();
                  l.monitored = monitored;
                  scene s{l, {{0, class_id{0}, 10}, {0, class_id{0}, 20}, {0, class_id{0}, 30}}};
                  s.run();
                  return takes_all::seen + s.log.text();
                }),
                "1: 2 wait. 2: 2 wait. {0, 0, 0, 0, 10, 0, 0}\n{1, 0, 0, 0, 20, 0, 1}\n{2, 0, 0, 0, 30, 0, 1}\n");
}

// All but the second are due at 10: the end of the first is processed before that of the others.
TEST(preemption, of_jobs_whose_work_is_done_at_that_instant_lets_them_complete_in_the_order_of_arrival) {
  layout l;
  l.groups = {{"node", 4, 1, 1.0}};
  l.own_policy = &preemptive_policy<takes_all>();
  scene s{l, {{0, class_id{0}, 10}, {0, class_id{0}, 30}, {0, class_id{0}, 10}, {0, class_id{0}, 10}}};
  s.run();
  EXPECT_EQ(s.log.records, (records{{0, 0, 0, 0, 10}, {2, 0, 0, 0, 10}, {3, 0, 0, 0, 10}, {1, 0, 0, 0, 30, 0, 1}}));
  EXPECT_EQ(takes_all::seen, "1: 0 wait. ");  // the completions come first, and the job is started then
}

// Dispatched at 0 and begun at 10, the job is done at 110; the stop that is sent at 105 comes too late.
TEST(preemption, of_a_job_that_completes_before_the_stop_comes_lets_it_complete) {
  layout l = two_cores({{105, 0}});
  l.latency = 10;
  l.monitored = true;
  scene s{l, two_jobs};
  s.run();
  EXPECT_EQ(s.log.records, (records{{0, 0, 0, 0, 120}, {1, 1, 40, 120, 170}}));
  EXPECT_EQ(s.log.records[0].preemptions, 0u);  // it did not happen
  EXPECT_EQ(s.all_cores().running, 2 * 100u + 30);
  EXPECT_EQ(scripted::calls, "");
}

// The stop comes at 60, the saved state is ready at 65, and the response is back at 75.
TEST(preemption, over_links_takes_their_time) {
  for (const bool monitored : {false, true})
    EXPECT_EQ(in_child([&] {
                layout l = two_cores({{50, 0}}, {5});
                l.latency = 10;
                l.monitored = monitored;
                scene s{l, two_jobs};
                s.run();
                EXPECT_EQ(s.all_cores().running, 2 * 100u + 30);
                return s.log.text();
              }),
              "{1, 1, 40, 75, 125, 0, 0}\n{0, 0, 0, 0, 195, 0, 0}\n");
}

// Server 0 is near, and has done job 0 by 102. The stop of job 1 leaves at 200 for server 1, which is far and has been
// done since 150: when the stop comes, at 300, the scheduler has known it for 50, and job 2 is on server 0.
TEST(preemption, of_a_job_that_has_completed_far_away_stops_no_job_that_came_after_it) {
  using kind = network_vertex::kind;
  network_graph roads;
  add_vertex({kind::scheduler, 0, "scheduler"}, roads);
  for (const std::uint32_t n : {0, 1}) add_vertex({kind::server, n, "node"}, roads);
  add_link(roads, 0, 1, 1, 0.0);
  add_link(roads, 0, 2, 100, 0.0);
  layout l = two_cores({{200, 1, false, false}});
  l.groups = {{"node", 2, 1, 1.0}};
  l.roads = &roads;
  scene s{l, {{0, class_id{1}, 100}, {0, class_id{1}, 50}, {260, class_id{1}, 200}}};
  s.run();
  EXPECT_EQ(s.log.records, (records{{0, 1, 0, 0, 102}, {1, 1, 0, 0, 250}, {2, 1, 260, 260, 462}}));
}

// The arrival at 40 keeps the scheduler until 50, the preemption until 60: then the servers stop. The policy is called
// for the job that has left, until 70; then the second starts. Its end keeps the scheduler from 100 to 110.
TEST(preemption, is_ordered_when_the_decision_has_been_made) {
  layout l = two_cores({{50, 0}});
  l.decision = 10;
  l.monitored = true;
  scene s{l, two_jobs};
  s.run();
  EXPECT_EQ(s.log.records, (records{{1, 1, 40, 70, 100}, {0, 0, 0, 10, 160}}));
  EXPECT_EQ(s.all_cores().running, 2 * 100u + 30);
}

/// Preempts what it has just started, once.
class changes_its_mind final : public rigid_policy {
  void arrived(const job& j, rigid_view, rigid_decisions& decide) override {
    decide.start(j);
    decide.preempt(j);
  }
  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    if (const job* next = cluster.earliest_fitting()) decide.start(*next);
  }
};

TEST(preemption, of_a_job_that_was_started_in_the_same_decision_sends_both_orders) {
  for (const ticks decision : {0, 10})
    for (const ticks latency : {0, 7})
      EXPECT_EQ(in_child([&] {
                  layout l;
                  l.own_policy = &preemptive_policy<changes_its_mind>();
                  l.decision = decision;
                  l.latency = latency;
                  l.monitored = true;
                  scene s{l, {{0, class_id{0}, 100}}};
                  s.run();
                  EXPECT_EQ(s.all_cores().running, 100u);
                  return std::to_string(s.log.records.at(0).completed);
                }),
                std::to_string(100 + 2 * decision + 4 * latency))
          << decision << " " << latency;
}

/// Needs two servers of one core, of three.
layout gang(std::vector<scripted::order> script, const state_costs& costs = {}) {
  layout l = two_cores(std::move(script), costs);
  l.groups = {{"node", 3, 1, 1.0}};
  return l;
}

// On servers 0 and 1 until 50. When server 2 is free, at 55, the third job holds server 0: server 1 restores until 58,
// server 2 has fetched and restored at 78. Stopped at 65 the gang has gained nothing, and servers 0 and 1 hold its
// state still. It resumes at 75, again on servers 1 and 2: from 78 and from 98 on until 148.
TEST(preemption, of_a_gang_keeps_the_work_for_which_all_of_its_slices_have_run) {
  scene s{gang({{50, 0}, {65, 0}}, {0, 3, 20}),
          {{0, class_id{0}, 100}, {40, class_id{1}, 15}, {52, class_id{1}, 1000}, {64, class_id{1}, 10}}};
  s.run();
  EXPECT_EQ(s.log.records,
            (records{{1, 1, 40, 40, 55}, {3, 1, 64, 65, 75}, {0, 0, 0, 0, 148, 0, 2}, {2, 1, 52, 52, 1052}}));
  EXPECT_EQ(s.log.records[2].preemptions, 2u);
  EXPECT_EQ(s.all_cores().running, 2 * 100u + 7 + 15 + 1000 + 10);
}

// As above; but at 108 server 1 has done its part, and is free for the last job from 119 on. At 120 server 2 has done
// 42 of the 50; server 1 does not save what is complete there, and must fetch: 8 are left from 129 + 23 on.
TEST(preemption, of_a_gang_counts_a_slice_that_had_ended_already) {
  scene s{gang({{50, 0}, {120, 0}}, {0, 3, 20}),
          {{0, class_id{0}, 100}, {40, class_id{1}, 15}, {52, class_id{1}, 1000}, {119, class_id{1}, 10}}};
  s.run();
  EXPECT_EQ(s.log.records,
            (records{{1, 1, 40, 40, 55}, {3, 1, 119, 119, 129}, {0, 0, 0, 0, 160, 0, 2}, {2, 1, 52, 52, 1052}}));
  EXPECT_EQ(s.all_cores().running, 208u + 15 + 1000 + 10);
}

layout that_fails(script& faults, bool kept) {
  layout l = two_cores({{50, 0}}, {5});
  l.faults = &faults;
  l.monitored = true;
  if (kept) l.checkpoint = 30;
  return l;
}

// Down from 52 to 72, while the state is being saved: the second job runs until 102, and the first one has its
// checkpoint left, if any.
TEST(preemption, falls_back_to_the_checkpoint_if_the_server_fails_while_it_saves) {
  for (const bool kept : {false, true})
    EXPECT_EQ(in_child([&] {
                script faults{{{0, {{52, 20}}}}};
                scene s{that_fails(faults, kept), two_jobs};
                s.run_until(1000);
                EXPECT_EQ(s.log.records[1].failures, 1u);
                EXPECT_EQ(s.log.records[1].preemptions, 1u);
                EXPECT_EQ(scripted::calls, "0 preempted at 52. ");
                return s.log.text();
              }),
              kept ? "{1, 1, 40, 72, 102, 0, 0}\n{0, 0, 0, 0, 172, 0, 1}\n"
                   : "{1, 1, 40, 72, 102, 0, 0}\n{0, 0, 0, 0, 202, 0, 0}\n");
}

// Jobs 1 and 2 are stopped at 10, when all work of job 1 is done, but not known to be. Its server fails at 12, while it
// saves: one tick is left at least, even where all progress is kept, for the job has not completed.
TEST(preemption, of_a_job_whose_work_is_done_and_whose_server_fails_before_it_has_saved_leaves_work_to_do) {
  for (const bool kept : {false, true})
    EXPECT_EQ(in_child([&] {
                script faults{{{1, {{12, 100}}}}};
                layout l;
                l.groups = {{"node", 3, 1, 1.0}};
                l.own_policy = &preemptive_policy<takes_all>();
                l.faults = &faults;
                l.costs.save = 5;
                if (kept) l.checkpoint = 0;
                scene s{l, {{0, class_id{0}, 10}, {0, class_id{0}, 10}, {0, class_id{0}, 30}}};
                s.run_until(1000);
                EXPECT_EQ(s.log.of(1).failures, 1u);
                return takes_all::seen + s.log.text();
              }),
              std::string("1: 1 wait. 2: 2 wait. {0, 0, 0, 0, 10, 0, 0}\n") +
                  (kept ? "{1, 0, 0, 0, 16, 0, 1}\n" : "{1, 0, 0, 0, 25, 0, 0}\n") + "{2, 0, 0, 0, 35, 0, 0}\n");
}

// Both of the gang's servers fail, one after the other, and the third one runs the small job.
TEST(preemption, counts_the_failures_while_a_gang_saves_as_one) {
  script faults{{{0, {{52, 100}}}, {1, {{53, 100}}}}};
  layout l = gang({{50, 0}}, {5});
  l.faults = &faults;
  scene s{l, two_jobs};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0], (job_record{1, 1, 40, 40, 70}));
  EXPECT_EQ(s.log.records[1], (job_record{0, 0, 0, 0, 252}));
  EXPECT_EQ(s.log.records[1].failures, 1u);
  EXPECT_EQ(scripted::calls, "0 preempted at 53. ");
}

// After a failure it is preempted and saves: nothing of the failure is left.
TEST(preemption, after_a_failure_saves_the_work_as_ever) {
  script faults{{{0, {{10, 10}}}}};
  layout l = two_cores({{50, 0}});
  l.faults = &faults;
  scene s{l, two_jobs};
  s.run_until(1000);
  EXPECT_EQ(s.log.records, (records{{1, 1, 40, 50, 80}, {0, 0, 0, 0, 150}}));
  EXPECT_EQ(scripted::calls, "0 interrupted at 10. 0 preempted at 50. ");
}

// Preempted to the tail at 50, it resumes at 130. Down from 140 to 150, its server has its first 50 of work still; the
// third job has come at 135.
TEST(preemption, to_the_tail_does_not_put_the_job_there_when_its_server_fails_later) {
  script faults{{{0, {{140, 10}}}}};
  layout l = two_cores({{50, 0, false, false, queue_place::at_tail}});
  l.faults = &faults;
  scene s{l, {{0, class_id{0}, 100}, {1, class_id{0}, 80}, {135, class_id{0}, 10}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records, (records{{1, 0, 1, 50, 130}, {0, 0, 0, 0, 200}, {2, 0, 135, 200, 210}}));
}

void ends_with(const std::string& fault, layout l) {
  expect_report("/muster/scheduler", fault);
  scene s{l, two_jobs};
  EXPECT_THROW(sc_core::sc_start(), sc_core::sc_report);
}

TEST(policy_that_breaks_the_rules_of_preemption, preempts_a_job_that_waits) {
  ends_with("the policy preempted job 1, which waits", two_cores({{50, 1}}));
}

TEST(policy_that_breaks_the_rules_of_preemption, preempts_a_job_that_is_leaving) {
  layout l = two_cores({{50, 0}, {52, 0}}, {5});
  ends_with("the policy preempted job 0, which is leaving its cores already", l);
}

TEST(policy_that_breaks_the_rules_of_preemption, kills_a_job_that_has_left) {
  ends_with("the policy preempted job 0, which has left", two_cores({{120, 0, true}}));
}

TEST(policy_that_breaks_the_rules_of_preemption, preempts_a_job_that_is_to_wait_nowhere) {
  ends_with("the policy preempted job 0, which is to wait nowhere; expected by_arrival or at_tail",
            two_cores({{50, 0, false, true, queue_place::nowhere}}));
}

TEST(policy_that_breaks_the_rules_of_preemption, preempts_without_saying_so) {
  layout l = two_cores({{50, 0}});
  l.own_policy = &own_policy<scripted>();
  ends_with("the policy preempted job 0, but its entry does not say `preempts`", l);
}

TEST(policy_that_breaks_the_rules_of_preemption, kills_without_saying_so_where_servers_may_fail) {
  script faults{{}};
  layout l = two_cores({{50, 0, true}});
  l.own_policy = &own_policy<scripted>();
  l.faults = &faults;
  ends_with("the policy preempted job 0, but its entry does not say `preempts`", l);
}

class does_nothing_with_pooled_jobs final : public pooled_policy {};

TEST(policy_that_breaks_the_rules_of_preemption, preempts_pooled_jobs_by_its_entry) {
  layout l{{1}, {{"a"}}};
  l.own_policy = &preemptive_policy<does_nothing_with_pooled_jobs>();
  expect_report("/muster/scheduler",
                "'scheduler': policy 'of_the_test': its entry says that it preempts, but its jobs are pooled; expected "
                "a policy of rigid jobs");
  EXPECT_THROW((scene{l, {{0, class_id{0}, 10}}}), sc_core::sc_report);
}

class preempts_for_ever final : public rigid_policy {
  void arrived(const job& j, rigid_view, rigid_decisions& decide) override {
    decide.start(j);
    if (j.id > 0) decide.preempt(j);
  }
  void completed(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    schedule(cluster, decide);
    if (j.id == 0 && cluster.running(class_id{0})) decide.preempt(*cluster.running(class_id{0}));
  }
  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    if (const job* next = cluster.earliest()) {
      decide.start(*next);
      decide.preempt(*next);
    }
  }
};

TEST(policy_that_breaks_the_rules_of_preemption, preempts_a_job_for_ever_at_one_instant) {
  for (const std::vector<job_request>& all :
       {std::vector<job_request>{{0, class_id{0}, 10}, {5, class_id{0}, 10}},  // from its arrival on
        std::vector<job_request>{{0, class_id{0}, 10}, {0, class_id{0}, 10}}})
    EXPECT_EQ(in_child([&]() -> std::string {
                layout l;
                l.groups = {{"node", 2, 1, 1.0}};
                l.own_policy = &preemptive_policy<preempts_for_ever>();
                expect_report(
                    "/muster/scheduler",
                    "the policy has preempted jobs 100000 times at one instant, each time when others had left");
                scene s{l, all};
                EXPECT_THROW(sc_core::sc_start(), sc_core::sc_report);
                return "ended";
              }),
              "ended");
}

// More batches than are allowed at one instant.
TEST(preemption, may_be_repeated_as_often_as_time_advances) {
  constexpr ticks often = 100'001;
  std::vector<scripted::order> all;
  for (ticks at = 1; at <= often; ++at) all.push_back({at, 0, false, false});
  scene s{two_cores(all), {{0, class_id{0}, often + 1}}};
  s.run();
  EXPECT_EQ(s.log.records, (records{{0, 0, 0, 0, often + 1}}));
  EXPECT_EQ(s.log.records[0].preemptions, often);
}

/// Every job with what became of it.
std::string all_of(const scene& s) {
  std::string text;
  for (const job_record& r : s.log.records)
    text += fmt::format("{} at {} after {} preemptions, {} migrations, {} failures\n", r.id, r.completed, r.preemptions,
                        r.migrations, r.failures);
  return text;
}

TEST(preemption, gives_the_same_results_directly_and_over_transactions) {
  for (const ticks latency : {0, 7})
    for (const ticks save : {0, 5})
      for (const ticks decision : {0, 3})
        for (const bool fails : {false, true}) {
          const auto found = [&](bool monitored) {
            return in_child([&] {
              script faults = random_faults(7, 6);
              layout l;
              l.needs = {6, 4, 2, 1};
              l.groups = {{"a", 2, 2, 1.0}, {"b", 1, 2, 0.5}, {"c", 3, 1, 2.0}};
              l.policy = "server_filling";
              l.latency = latency;
              l.decision = decision;
              l.costs.save = save;
              l.costs.restore = save;
              l.costs.migration = save;
              l.checkpoint = 20;
              l.monitored = monitored;
              if (fails) l.faults = &faults;
              scene s{l, random_jobs(500, 4, 60, 80)};
              s.run_until(200'000);
              unsigned preemptions = 0;
              for (const job_record& r : s.log.records) preemptions += r.preemptions;
              EXPECT_GT(preemptions, 20u);
              return all_of(s);
            });
          };
          const std::string direct = found(false);
          EXPECT_GT(direct.size(), 500u);
          EXPECT_EQ(direct, found(true)) << latency << " " << save << " " << decision << " " << fails;
        }
}

// The server knows no stops, and does not say for how long a slice has run: the job begins anew.
TEST(preemption, by_a_server_that_ignores_stops_waits_for_the_slice_to_end) {
  front_end s{two_cores({{50, 0}}), two_jobs};
  foreign_server foreign{"foreign", foreign_server::manner::plain};
  s.central.dispatches.bind(foreign.socket);
  s.run();
  EXPECT_EQ(s.log.records, (records{{1, 1, 40, 100, 130}, {0, 0, 0, 0, 230}}));
  EXPECT_EQ(foreign.stops_refused, 1u);
}

}  // namespace
}  // namespace muster
