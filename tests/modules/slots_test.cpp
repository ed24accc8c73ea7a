#include <map>
#include <memory>
#include <random>

#include "tests/modules/child.h"
#include "tests/modules/scene.h"
#include "tests/oracles/slotted_queue.h"

// Slotted jobs: cores that change hands from slot to slot, deadlines and what is earned by then.

namespace muster {
namespace {

using oracle::slot_policy;

/// Jobs that each bring along what their units are worth.
struct slotted_jobs {
  std::vector<std::unique_ptr<utility>> worth;
  std::vector<job_request> requests;
  std::vector<oracle::slotted_job> same;  ///< for the oracle

  void add(ticks arrival, std::uint64_t deadline, std::vector<double> gains, ticks slot = 100) {
    same.push_back({arrival, deadline, gains});
    worth.push_back(std::make_unique<utility>(std::move(gains)));
    requests.push_back({arrival, class_id{0}, worth.back()->units() * slot, {}, deadline, worth.back().get()});
  }
};

layout machines(unsigned count, const std::string& policy) {
  layout l;
  l.groups = {{"machine", count, 1, 1.0}};
  l.policy = policy;
  return l;
}

slotted_jobs at_random(unsigned seed, ticks slot, bool all_have_deadlines = false) {
  std::mt19937_64 random{seed};
  slotted_jobs jobs;
  ticks at = 0;
  const std::size_t count = 1 + random() % 12;
  for (std::size_t n = 0; n < count; ++n) {
    if (random() % 3 > 0) at += random() % 4 == 0 ? random() % (4 * slot) : slot * (random() % 3);
    const std::uint64_t first = (at + slot - 1) / slot + 1;
    std::vector<double> gains(1 + random() % 7);
    for (double& gain : gains) gain = static_cast<double>(random() % 5);
    jobs.add(at, !all_have_deadlines && random() % 4 == 0 ? 0 : first + random() % 6, std::move(gains), slot);
  }
  return jobs;
}

const std::map<std::string, slot_policy> policies{
    {"ispeed", slot_policy::ispeed_envelope},
    {"ispeed:gain=literal", slot_policy::ispeed_literal},
    {"fifo", slot_policy::fifo},
    {"edf", slot_policy::edf},
    {"equal_partitioning", slot_policy::equal_whole},
    {"equal_partitioning:share=fractional", slot_policy::equal_fractional}};

// @return what differs
std::string differences(const scene& s, const std::vector<oracle::slotted_outcome>& expected, ticks slot,
                        bool ends_with_the_slot) {
  std::ostringstream lines;
  for (const job_record& found : s.log.records) {
    const oracle::slotted_outcome& e = expected[found.id];
    const auto compare = [&](const char* what, auto ours, auto theirs) {
      if (ours != theirs) lines << "job " << found.id << ": " << what << ' ' << ours << ", not " << theirs << '\n';
    };
    compare("expired", found.expired, e.expired);
    compare("earned", found.earned, e.utility);
    const ticks step = ends_with_the_slot ? slot : 1;
    const auto end_of_step = [step](ticks at) { return (at + step - 1) / step * step; };
    compare("left", end_of_step(found.completed), end_of_step(e.left));
    if (ends_with_the_slot) continue;
    compare("preempted", std::uint64_t{found.preemptions}, e.preemptions);
    if (e.served) compare("started", found.started, e.first_service);
  }
  return lines.str();
}

// The sanitizers would see the same steps many times.
#ifdef MUSTER_SANITIZED
constexpr unsigned seeds = 60;
#else
constexpr unsigned seeds = 500;
#endif

class random_slots : public testing::TestWithParam<const char*> {};

// Cores that lose a share of their first slot, on servers of one core and of two.
TEST_P(random_slots, go_as_the_rules_written_anew_say) {
  const slot_policy policy = policies.at(GetParam());
  const bool fractional = policy == slot_policy::equal_fractional;
  const ticks slot = 1000;
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    const slotted_jobs jobs = at_random(seed, slot);
    layout l = machines(1 + seed % 4, GetParam());
    if (seed % 3 == 0) l.groups = {{"wide", 2, 2, 1.0}, {"single", 1, 1, 1.0}};
    const unsigned cores = seed % 3 == 0 ? 5 : 1 + seed % 4;
    l.slot = slot;
    const ticks epsilons[] = {0, 0, 50, 300, 1000};
    l.costs.dispatch_latency = fractional ? 0 : epsilons[seed % 5];
    l.monitored = seed % 2 == 0;
    const auto expected = oracle::serve_slots(cores, slot, l.costs.dispatch_latency, jobs.same, policy);
    EXPECT_EQ(in_child([&] {
                scene s{l, jobs.requests};
                s.run();
                return differences(s, expected, slot, fractional);
              }),
              "")
        << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(under, random_slots,
                         testing::Values("ispeed", "ispeed:gain=literal", "fifo", "edf", "equal_partitioning",
                                         "equal_partitioning:share=fractional"),
                         [](const auto& p) {
                           std::string name = p.param;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return c == ':' || c == '='; }, '_');
                           return name;
                         });

// To the scheduler, and to the rules, jobs arrive later, by what the link takes; some too late for any slot.
TEST(slots, a_link_before_the_scheduler_delays_jobs_and_those_too_late_expire) {
  bool any_late = false;
  for (const auto& [name, rule] : policies)
    for (unsigned seed = 1; seed <= 40; ++seed) {
      const ticks slot = 1000, latency = seed % 3 == 0 ? 1700 : seed % 3 == 1 ? 30 : 1000;
      slotted_jobs jobs = at_random(seed, slot, true);
      layout l = machines(1 + seed % 4, name);
      l.slot = slot;
      l.submission_latency = latency;
      l.monitored = seed % 2 == 0;
      for (oracle::slotted_job& j : jobs.same) {
        j.arrival += latency;
        any_late = any_late || (j.arrival + slot - 1) / slot >= j.deadline;
      }
      const auto expected = oracle::serve_slots(1 + seed % 4, slot, 0, jobs.same, rule);
      EXPECT_EQ(in_child([&, rule = rule] {
                  scene s{l, jobs.requests};
                  s.run();
                  for (job_record& r : s.log.records) r.completed -= latency;  // the way back
                  return differences(s, expected, slot, rule == slot_policy::equal_fractional);
                }),
                "")
          << name << ", seed " << seed;
    }
  EXPECT_TRUE(any_late);
}

std::vector<ticks> ends(const scene& s) {
  std::vector<ticks> times(s.log.records.size());
  for (const job_record& r : s.log.records) times[r.id] = r.completed;
  return times;
}

TEST(slots, a_core_that_a_job_keeps_is_dispatched_once) {
  slotted_jobs jobs;
  jobs.add(0, 0, {1, 1, 1, 1, 1});
  layout l = machines(1, "fifo");
  l.costs.set_up = 10;
  scene s{l, jobs.requests};
  s.run();
  EXPECT_EQ(s.central.slices_dispatched(), 1u);
  EXPECT_EQ(ends(s), (std::vector<ticks>{510})) << "set up once, then five units without a pause";
}

TEST(slots, a_preempted_job_pays_for_saving_and_for_coming_back_on_the_core_that_it_was_on) {
  slotted_jobs jobs;
  jobs.add(0, 0, {2, 2});
  jobs.add(100, 0, {3});
  layout l = machines(1, "ispeed");
  l.costs.set_up = 10;
  l.costs.save = 20;
  l.costs.restore = 5;
  l.costs.migration = 1000;
  scene s{l, jobs.requests};
  s.run();
  // 90 of work by 100; saved by 120; the other is set up by 130 and would be done at 230, but the slot ends at 200:
  // its unit under way still gains most, and it goes on. The first comes back at the next slot, 300, restored by 305.
  EXPECT_EQ(ends(s), (std::vector<ticks>{305 + 110, 230}));
  EXPECT_EQ(s.log.of(0).preemptions, 1u);
  EXPECT_EQ(s.log.of(0).migrations, 0u);
  const core_times cores = s.all_cores();
  EXPECT_EQ(cores.overhead, 10u + 20 + 10 + 5);
  EXPECT_EQ(cores.running, 300u);
}

TEST(slots, a_job_comes_back_to_the_server_that_holds_its_state_if_that_is_idle) {
  slotted_jobs jobs;
  jobs.add(0, 0, {2, 2, 2});
  jobs.add(100, 0, {3, 3, 3, 3, 3, 3});  // on both machines until 400
  layout l = machines(2, "ispeed");
  l.costs.migration = 7;
  l.costs.restore = 3;
  scene s{l, jobs.requests};
  s.run();
  EXPECT_EQ(s.log.of(0).preemptions, 1u);
  EXPECT_EQ(s.log.of(0).migrations, 0u);
  EXPECT_EQ(ends(s), (std::vector<ticks>{400 + 3 + 100, 400}));
  EXPECT_EQ(s.all_cores().overhead, 3u);
}

TEST(slots, a_job_that_comes_back_elsewhere_fetches_its_state) {
  slotted_jobs jobs;
  jobs.add(0, 0, {5, 1});    // on machine 0
  jobs.add(0, 0, {4, 1});    // on machine 1
  jobs.add(100, 0, {3, 3});  // on both
  jobs.add(200, 0, {2});     // on machine 0, so that the first comes back on machine 1, and the second at 300 on 0
  layout l = machines(2, "ispeed");
  l.costs.migration = 7;
  l.costs.restore = 3;
  l.state = 100;
  l.costs.ticks_per_byte = 0.1;
  scene s{l, jobs.requests};
  s.run();
  EXPECT_EQ(ends(s), (std::vector<ticks>{200 + 20 + 100, 300 + 20 + 100, 200, 300})) << "10 to move, 7, 3 to restore";
  for (const std::uint64_t id : {0, 1}) {
    EXPECT_EQ(s.log.of(id).preemptions, 1u);
    EXPECT_EQ(s.log.of(id).migrations, 1u);
  }
}

// The first job has three cores, then two, then one; each that it loses saves for longer than a slot. The second one
// gets the first of them at 240. From 400 on the first job has all.
TEST(slots, a_core_that_saves_for_longer_than_a_slot_is_not_taken_for_the_one_to_be_lost_next) {
  slotted_jobs jobs;
  jobs.add(0, 0, std::vector<double>(13, 1.0));
  jobs.add(50, 9, {1});
  layout l = machines(3, "edf");
  l.costs.save = 140;
  scene s{l, jobs.requests};
  s.run();
  EXPECT_EQ(ends(s), (std::vector<ticks>{600, 340}));
  EXPECT_EQ(s.all_cores().running, 1400u);
}

// The first job is preempted from 100 to 200. Each of the later ones may use its payload again.
TEST(slots, a_job_has_nothing_to_restore_of_the_one_before) {
  slotted_jobs jobs;
  jobs.add(0, 0, {1, 1});
  jobs.add(50, 9, {1});
  for (const ticks at : {350, 450}) jobs.add(at, 0, {1});
  layout l = machines(1, "edf");
  l.costs.restore = 30;
  scene s{l, jobs.requests};
  s.run();
  EXPECT_EQ(ends(s), (std::vector<ticks>{330, 200, 500, 600}));
  EXPECT_EQ(s.all_cores().overhead, 30u);
}

// The first job works from 90 to 190, which the scheduler hears at 220: at 200 the second one gets the other machine.
TEST(slots, a_job_that_is_complete_gets_no_core_though_the_scheduler_has_not_heard_of_it) {
  slotted_jobs jobs;
  jobs.add(0, 0, {1});
  jobs.add(150, 0, {1});
  layout l = machines(2, "fifo");
  l.latency = 30;
  l.costs.set_up = 60;
  scene s{l, jobs.requests};
  s.run();
  EXPECT_EQ(ends(s), (std::vector<ticks>{220, 420}));
}

// A decision about the third job keeps the scheduler from 195 to 205: both deadlines at 200 wait for it.
TEST(slots, each_of_several_deadlines_that_wait_for_a_decision_ends_its_job) {
  slotted_jobs jobs;
  jobs.add(0, 2, {1, 1, 1});
  jobs.add(0, 2, {1});
  jobs.add(195, 0, {1});
  layout l = machines(1, "fifo");
  l.decision = 10;
  scene s{l, jobs.requests};
  s.run();
  EXPECT_TRUE(s.log.of(0).expired);
  EXPECT_TRUE(s.log.of(1).expired);
  EXPECT_FALSE(s.log.of(2).expired);
}

// The scheduler decides about the first job from 95 to 200, and has the beginning of slot 2 still before it then. That
// slot, the second job's last one, is over all the same.
TEST(slots, a_job_of_which_the_scheduler_hears_at_its_deadline_comes_too_late) {
  slotted_jobs jobs;
  jobs.add(95, 0, {1});
  jobs.add(100, 2, {1});
  layout l = machines(2, "fifo");
  l.decision = 105;
  scene s{l, jobs.requests};
  s.run();
  EXPECT_TRUE(s.log.of(1).expired);
  EXPECT_EQ(s.log.of(1).completed, 200u);
}

TEST(slots, an_expired_job_saves_nothing) {
  slotted_jobs jobs;
  jobs.add(0, 1, {5, 5, 5});
  layout l = machines(1, "fifo");
  l.costs.save = 50;
  scene s{l, jobs.requests};
  s.run();
  EXPECT_TRUE(s.log.of(0).expired);
  EXPECT_EQ(s.log.of(0).earned, 5.0);
  EXPECT_EQ(ends(s), (std::vector<ticks>{100}));
  EXPECT_EQ(s.all_cores().overhead, 0u);
}

TEST(slots, a_deadline_that_passes_while_the_job_waits_ends_it_at_once) {
  slotted_jobs jobs;
  jobs.add(0, 0, {9, 9, 9});
  jobs.add(0, 2, {1});
  scene s{machines(1, "ispeed"), jobs.requests};
  s.run();
  EXPECT_TRUE(s.log.of(1).expired);
  EXPECT_EQ(s.log.of(1).earned, 0.0);
  EXPECT_EQ(ends(s), (std::vector<ticks>{300, 200}));
}

TEST(slots, a_job_done_at_the_very_end_of_its_last_slot_is_complete) {
  slotted_jobs jobs;
  jobs.add(0, 2, {1, 1});
  scene s{machines(1, "edf"), jobs.requests};
  s.run();
  EXPECT_FALSE(s.log.of(0).expired);
  EXPECT_EQ(s.log.of(0).earned, 2.0);
  EXPECT_EQ(ends(s), (std::vector<ticks>{200}));
}

TEST(slots, jobs_share_a_core_one_after_the_other_within_the_slot) {
  slotted_jobs jobs;
  jobs.add(0, 0, {1, 1});
  jobs.add(0, 0, {1, 1});
  jobs.add(0, 0, {1, 1});
  scene s{machines(2, "equal_partitioning:share=fractional"), jobs.requests};
  s.run();
  // Two thirds of a core each, 66 or 67 ticks, for three slots.
  EXPECT_EQ(s.all_cores().running, 600u);
  EXPECT_EQ(s.log.records.size(), 3u);
  for (const job_record& r : s.log.records) EXPECT_EQ((r.completed - 1) / 100, 2u) << "job " << r.id;
}

// ISPEED paper, Section VI-B, in the examples of one core and three jobs, and of four cores and six.
TEST(slots, equal_shares_that_add_up_to_whole_units_at_the_deadline_are_whole_units) {
  struct example {
    unsigned cores, jobs;
    std::vector<double> gains;
    std::uint64_t deadline;
  };
  // 999 and 1000 ticks, as three and six jobs divide the one, but not the other.
  for (const example& e :
       {example{1, 3, {1}, 3}, example{4, 6, {1, 1}, 3}, example{1, 7, {1}, 7}, example{2, 30, {1}, 15}})
    for (const ticks slot : {999, 1000, 10, 11})
      EXPECT_EQ(in_child([&] {
                  slotted_jobs jobs;
                  for (unsigned n = 0; n < e.jobs; ++n) jobs.add(0, e.deadline, e.gains, slot);
                  layout l = machines(e.cores, "equal_partitioning:share=fractional");
                  l.slot = slot;
                  scene s{l, jobs.requests};
                  s.run();
                  double earned = 0.0;
                  for (const job_record& r : s.log.records) earned += r.earned;
                  EXPECT_EQ(s.all_cores().running, e.cores * e.deadline * slot);
                  return std::to_string(static_cast<unsigned>(earned));
                }),
                std::to_string(e.jobs * e.gains.size()))
          << e.jobs << " jobs, slots of " << slot;
}

/// Whether all jobs end; the scene checks every core's account.
bool every_job_ends(const layout& l, const slotted_jobs& jobs) {
  return in_child([&] {
           scene s{l, jobs.requests};
           s.run();
           return std::to_string(s.log.records.size());
         }) == std::to_string(jobs.requests.size());
}

TEST(slots, links_delay_what_servers_do_and_nothing_is_lost) {
  for (const char* policy : {"ispeed", "fifo", "edf", "equal_partitioning", "equal_partitioning:share=fractional"})
    for (unsigned seed = 1; seed <= seeds / 5; ++seed) {
      const slotted_jobs jobs = at_random(seed, 1000);
      layout l = machines(1 + seed % 4, policy);
      l.slot = 1000;
      l.latency = seed % 2 == 0 ? 30 : 1700;
      l.costs.save = seed % 3 == 0 ? 400 : 0;
      l.costs.set_up = seed % 5 == 0 ? 100 : 0;
      l.monitored = true;
      EXPECT_TRUE(every_job_ends(l, jobs)) << policy << ", seed " << seed;
    }
}

TEST(slots, costs_of_every_kind_leave_every_core_with_an_account_of_its_time) {
  for (const char* policy : {"ispeed", "ispeed:gain=literal", "equal_partitioning:share=fractional"})
    for (unsigned seed = 1; seed <= seeds / 5; ++seed) {
      // Parts of a slot may be too short to get anywhere.
      const slotted_jobs jobs = at_random(seed, 1000, true);
      layout l = machines(1 + seed % 4, policy);
      l.slot = 1000;
      l.costs.save = seed % 3 == 0 ? 1400 : 100;  // longer than a slot: cores come late, or not in this slot
      l.costs.set_up = 50;
      l.costs.restore = 30;
      l.costs.migration = 70;
      l.monitored = true;
      EXPECT_TRUE(every_job_ends(l, jobs)) << policy << ", seed " << seed;
    }
}

/// The second job is on machine 1 in the first slot and on machine 0 in the third: machine 1 is in use until 300. In
/// the fourth it waits, and it does its third unit in the fifth.
slotted_jobs on_one_machine_then_the_other(std::size_t units = 3) {
  slotted_jobs jobs;
  jobs.add(0, 0, {5});
  std::vector<double> gains(units, 1.0);
  gains.front() = 4;
  jobs.add(0, 0, gains);
  jobs.add(100, 0, {3.5});
  jobs.add(100, 0, {3, 3});
  jobs.add(300, 0, {2});
  jobs.add(300, 0, {2});
  return jobs;
}

ticks running_on(const scene& s, std::uint32_t machine) { return s.servers[0]->times(machine, s.time.now()).running; }

TEST(slots, a_job_that_two_machines_know_comes_back_to_the_one_that_it_was_on_last) {
  const slotted_jobs jobs = on_one_machine_then_the_other();
  scene s{machines(2, "ispeed"), jobs.requests};
  s.run();
  EXPECT_EQ(ends(s), (std::vector<ticks>{100, 500, 200, 300, 400, 400}));
  EXPECT_EQ(s.log.of(1).preemptions, 2u);
  EXPECT_EQ(s.log.of(1).migrations, 1u);
  EXPECT_EQ(running_on(s, 0), 500u);
  EXPECT_EQ(running_on(s, 1), 400u);
}

TEST(slots, a_job_that_two_machines_know_comes_back_to_the_other_where_the_last_is_busy) {
  slotted_jobs jobs;
  jobs.add(0, 0, {5});
  jobs.add(0, 0, {4.5});
  jobs.add(0, 0, {4, 1, 1});  // on machine 2
  jobs.add(100, 0, {3.5});
  jobs.add(100, 0, {3.3, 2});  // on machine 1 until 300
  jobs.add(100, 0, {3.2, 2});  // on machine 2 until 300: the third job does its second unit on machine 0
  for (int n = 0; n < 3; ++n) jobs.add(300, 0, {2});
  jobs.add(400, 0, {2});  // on machine 0
  scene s{machines(3, "ispeed"), jobs.requests};
  s.run();
  // Of machines 1 and 2, which are idle then, the latter holds its state.
  EXPECT_EQ(s.log.of(2).completed, 500u);
  EXPECT_EQ(s.log.of(2).migrations, 1u);
  EXPECT_EQ(running_on(s, 1), 400u);
  EXPECT_EQ(running_on(s, 2), 500u);
}

TEST(slots, a_job_that_was_on_a_machine_once_more_comes_back_to_that_one) {
  slotted_jobs jobs = on_one_machine_then_the_other(4);
  jobs.add(400, 0, {2});  // on machine 0: the second job does its third unit on machine 1
  jobs.add(500, 0, {2});  // on either machine, so that it waits once more
  jobs.add(500, 0, {2});
  scene s{machines(2, "ispeed"), jobs.requests};
  s.run();
  EXPECT_EQ(s.log.of(1).completed, 700u);
  EXPECT_EQ(s.log.of(1).migrations, 1u);
  EXPECT_EQ(running_on(s, 0), 600u);
  EXPECT_EQ(running_on(s, 1), 700u) << "it was there last";
}

// The seventh job has been on machine 0 only, and finds it idle as the second one comes back to machine 1. Did that go
// to where it had been first, the seventh job would have to migrate.
TEST(slots, a_job_that_comes_back_to_where_it_was_last_leaves_its_other_machine_to_a_job_that_knows_no_other) {
  slotted_jobs jobs = on_one_machine_then_the_other(4);
  jobs.add(400, 0, {2, 1});
  jobs.add(500, 0, {2});
  jobs.add(500, 0, {2});
  scene s{machines(2, "ispeed"), jobs.requests};
  s.run();
  EXPECT_EQ(s.log.of(1).completed, 700u);
  EXPECT_EQ(s.log.of(1).migrations, 1u);
  EXPECT_EQ(s.log.of(6).completed, 700u);
  EXPECT_EQ(s.log.of(6).migrations, 0u);
}

TEST(slots, a_job_that_two_machines_know_leaves_the_lowest_to_others_where_it_was_on_the_highest_last) {
  slotted_jobs jobs;
  jobs.add(0, 0, {5, 1, 1});  // on machine 0
  jobs.add(0, 0, {4, 1});     // on machine 1
  jobs.add(100, 0, {3, 3});   // on both
  jobs.add(200, 0, {2});      // on machine 0: the first job on machine 1
  jobs.add(300, 0, {3, 3});   // on both
  scene s{machines(2, "ispeed"), jobs.requests};
  s.run();
  // The first job comes back to machine 1 at 400, and the second, which only that machine knows, must migrate.
  EXPECT_EQ(ends(s), (std::vector<ticks>{500, 500, 200, 300, 400}));
  EXPECT_EQ(s.log.of(0).migrations, 1u);
  EXPECT_EQ(s.log.of(1).migrations, 1u);
}

// Two arrivals take the scheduler until 60, and the slot that begins at 0 from then to 90: the second job's last.
TEST(slots, a_job_that_waits_for_decisions_is_served_in_a_slot_whose_beginning_waits_too) {
  slotted_jobs jobs;
  jobs.add(0, 0, {1});
  jobs.add(0, 1, {1});
  layout l = machines(2, "fifo");
  l.decision = 30;
  scene s{l, jobs.requests};
  s.run();
  EXPECT_EQ(s.log.of(1).started, 90u);
  EXPECT_TRUE(s.log.of(1).expired);
  EXPECT_EQ(s.all_cores().running, 140u) << "the first job's unit; and the second's core, which is stopped at 130";
}

// The arrival at 0 and the slot take the scheduler until 60. The job of 10 is looked at then, when its last slot has
// begun without it: no decision, so that the one of 70 is decided on until 100, and the next slot until 130.
TEST(slots, a_job_that_comes_too_late_costs_no_decision) {
  slotted_jobs jobs;
  jobs.add(0, 0, {1, 1});
  jobs.add(10, 1, {1});
  jobs.add(70, 0, {1});
  layout l = machines(3, "fifo");
  l.decision = 30;
  scene s{l, jobs.requests};
  s.run();
  EXPECT_TRUE(s.log.of(1).expired);
  EXPECT_EQ(ends(s)[1], 100u);
  EXPECT_EQ(s.log.of(2).started, 130u);
}

}  // namespace
}  // namespace muster
