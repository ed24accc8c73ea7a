#include <memory>
#include <random>

#include <fmt/format.h>

#include "tests/modules/scene.h"

// Slotted jobs on cores whose speed changes: what is done in a slot, by hand and by a loop over all ticks.

namespace muster {
namespace {

/// Slotted jobs whose units earn 1 each.
struct unit_jobs {
  std::vector<std::unique_ptr<utility>> worth{};
  std::vector<job_request> requests{};

  unit_jobs& add(ticks arrival, unsigned units, std::uint64_t deadline = 0) {
    worth.push_back(std::make_unique<utility>(std::vector<double>(units, 1.0)));
    requests.push_back({arrival, class_id{0}, units * ticks{100}, {}, deadline, worth.back().get()});
    return *this;
  }
};

/// Servers of one core each, each a group of its own, and slots of 100 ticks.
layout slow_machines(std::size_t count, const std::string& policy, std::vector<speed_change> speeds) {
  layout l;
  l.groups.clear();
  for (std::size_t n = 0; n < count; ++n) l.groups.push_back({"machine_" + std::to_string(n), 1, 1, 1.0});
  l.policy = policy;
  l.speeds = std::move(speeds);
  l.monitored = true;
  return l;
}

struct outcome {
  ticks left;
  double earned;
  bool expired;
  bool operator==(const outcome& o) const { return left == o.left && earned == o.earned && expired == o.expired; }
  friend std::ostream& operator<<(std::ostream& out, const outcome& o) {
    return out << "left at " << o.left << ", earned " << o.earned << (o.expired ? ", expired" : "");
  }
};

outcome outcome_of(const scene& s, std::uint64_t job) {
  const job_record& r = s.log.of(job);
  return {r.completed, r.earned, r.expired};
}

TEST(slotted_speeds, let_a_unit_take_several_slots_and_end_within_one) {
  unit_jobs jobs;
  jobs.add(0, 2);
  scene s{slow_machines(1, "fifo", {{40, 0, 0.5}}), jobs.requests};
  s.run();
  EXPECT_EQ(outcome_of(s, 0), (outcome{360, 2.0, false}));  // 40 + 160 / 0.5
  EXPECT_EQ(s.all_cores().running, 360u);
}

TEST(slotted_speeds, above_1_leave_a_part_of_the_slot_idle) {
  unit_jobs jobs;
  jobs.add(0, 1).add(0, 1);
  scene s{slow_machines(1, "fifo", {{0, 0, 4.0}}), jobs.requests};
  s.run();
  EXPECT_EQ(outcome_of(s, 0), (outcome{25, 1.0, false}));
  EXPECT_EQ(outcome_of(s, 1), (outcome{125, 1.0, false}));  // the slot is the interval of decisions
}

TEST(slotted_speeds, of_several_cores_of_a_job_add_up) {
  unit_jobs jobs;
  jobs.add(0, 3);
  scene s{slow_machines(3, "fifo", {{0, 1, 0.5}, {0, 2, 0.25}, {100, 2, 2.0}}), jobs.requests};
  s.run();
  // 175 by 100. Of the other 125 two cores do 1.5 in a tick, as it has two units that are not complete.
  EXPECT_EQ(outcome_of(s, 0), (outcome{183, 3.0, false}));
}

TEST(slotted_speeds, have_no_effect_on_the_overhead_of_a_new_core) {
  unit_jobs jobs;
  jobs.add(0, 1);
  layout l = slow_machines(1, "fifo", {{0, 0, 0.5}});
  l.costs.dispatch_latency = 30;
  scene s{l, jobs.requests};
  s.run();
  EXPECT_EQ(outcome_of(s, 0), (outcome{230, 1.0, false}));
  EXPECT_EQ(s.all_cores().overhead, 30u);
}

TEST(slotted_speeds, decide_which_units_are_complete_at_a_deadline) {
  unit_jobs jobs;
  jobs.add(0, 3, 3);
  scene s{slow_machines(1, "edf", {{150, 0, 0.4}}), jobs.requests};
  s.run();
  EXPECT_EQ(outcome_of(s, 0), (outcome{300, 2.0, true}));  // 150 + 60
}

TEST(slotted_speeds, count_for_what_is_left_behind_a_preemption_and_a_migration) {
  unit_jobs jobs;
  jobs.add(0, 2).add(100, 1, 2);
  layout l = slow_machines(1, "edf", {{20, 0, 0.5}});
  l.costs.restore = 10;
  scene s{l, jobs.requests};
  s.run();
  EXPECT_EQ(outcome_of(s, 1), (outcome{200, 0.0, true}));                  // half a unit
  EXPECT_EQ(outcome_of(s, 0), (outcome{200 + 10 + 2 * 140, 2.0, false}));  // 60 by 100
}

TEST(slotted_speeds, say_what_a_failure_takes_of_the_slot) {
  script faults{{{0, {{170, 10}}}}};
  unit_jobs jobs;
  jobs.add(0, 3);
  layout l = slow_machines(1, "fifo", {{50, 0, 0.5}, {150, 0, 2.0}});
  l.faults = &faults;
  scene s{l, jobs.requests};
  s.run_until(1000);
  // 75 by 100 are kept, the 25 + 40 of the second slot are lost; at 200 the server is back, and does 225 at speed 2.
  EXPECT_EQ(outcome_of(s, 0), (outcome{313, 3.0, false}));
}

TEST(slotted_speeds, let_another_core_go_on_where_one_fails) {
  script faults{{{1, {{150, 200}}}}};
  unit_jobs jobs;
  jobs.add(0, 2);
  layout l = slow_machines(3, "fifo", {{0, 0, 0.25}, {0, 1, 0.5}, {0, 2, 0.75}});
  l.faults = &faults;
  scene s{l, jobs.requests};
  s.run_until(1000);
  // 75 by 100, 12.5 + 25 by 150, of which 25 are lost with the core; then 50 by 200. The unit that is left then has a
  // core, the first one.
  EXPECT_EQ(outcome_of(s, 0), (outcome{450, 2.0, false}));
}

TEST(slotted_speeds, are_known_to_equal_shares_of_core_time_once_a_core_has_worked) {
  unit_jobs jobs;
  jobs.add(0, 1).add(0, 1);
  layout l = slow_machines(1, "equal_partitioning:share=fractional", {{0, 0, 0.5}});
  scene s{l, jobs.requests};
  s.run();
  // Each has half of each slot: 25 of work. The first one ends in its fourth share, the other one at the end of its
  // own.
  EXPECT_EQ(outcome_of(s, 0), (outcome{350, 1.0, false}));
  EXPECT_EQ(outcome_of(s, 1), (outcome{400, 1.0, false}));
}

constexpr std::uint64_t parts_of_work_in_slots = 64;  // of work of a tick at speed 1

/// Slotted jobs that are served in some order, each on as many cores as it has units left; tick by tick.
struct plain_slots {
  static constexpr ticks slot = 100;
  static constexpr std::size_t nobody = ~std::size_t{0};

  struct node {
    std::uint64_t speed = parts_of_work_in_slots;
    std::size_t job = nobody;
    ticks overhead = 0;
    bool worked = false;
  };
  struct plain_job {
    job_request request;
    std::uint64_t units = 0, left = 0, deadline = 0;
    std::vector<std::size_t> cores, state_at;  // in the order in which they came to it
    bool there = false, gone = false;
    outcome end{};
  };
  std::vector<node> nodes;
  std::vector<plain_job> jobs;
  std::vector<speed_change> changes;
  ticks overhead = 0;
  bool by_deadline = false;

  std::uint64_t pace(const plain_job& j) const {
    std::uint64_t sum = 0;
    for (const std::size_t n : j.cores) sum += nodes[n].overhead == 0 ? nodes[n].speed : 0;
    return sum;
  }
  std::uint64_t units_left(const plain_job& j) const {
    const std::uint64_t whole = (j.left + parts_of_work_in_slots / 2) / parts_of_work_in_slots;  // ticks
    return (std::max<std::uint64_t>(1, whole) + slot - 1) / slot;
  }
  void take_last_core(plain_job& j) {
    node& n = nodes[j.cores.back()];
    n.job = nobody;
    if (n.worked) {
      j.state_at.erase(std::remove(j.state_at.begin(), j.state_at.end(), j.cores.back()), j.state_at.end());
      j.state_at.push_back(j.cores.back());
    }
    j.cores.pop_back();
  }
  void leave(plain_job& j, ticks now, bool expired) {
    j.end = {now, static_cast<double>(j.units - (expired ? units_left(j) : 0)), expired};
    while (!j.cores.empty()) take_last_core(j);
    j.gone = true;
  }
  void complete(ticks now) {
    for (plain_job& j : jobs)
      if (j.there && !j.gone && pace(j) > 0 && 2 * j.left < pace(j)) leave(j, now, false);
  }
  std::size_t idle_core_for(const plain_job& j) const {
    for (auto known = j.state_at.rbegin(); known != j.state_at.rend(); ++known)
      if (nodes[*known].job == nobody) return *known;
    std::size_t n = 0;
    while (nodes[n].job != nobody) ++n;
    return n;
  }
  void begin_slot() {
    std::vector<plain_job*> order;
    for (plain_job& j : jobs)
      if (j.there && !j.gone) order.push_back(&j);
    const auto deadline = [](const plain_job* j) { return j->deadline == 0 ? ~std::uint64_t{0} : j->deadline; };
    if (by_deadline)
      std::stable_sort(order.begin(), order.end(),
                       [&](const plain_job* a, const plain_job* b) { return deadline(a) < deadline(b); });
    std::vector<std::uint64_t> given;
    std::uint64_t idle = nodes.size();
    for (plain_job* j : order) {
      given.push_back(std::min(idle, units_left(*j)));
      idle -= given.back();
      while (j->cores.size() > given.back()) take_last_core(*j);
    }
    for (std::size_t at = 0; at < order.size(); ++at)
      while (order[at]->cores.size() < given[at]) {
        const std::size_t n = idle_core_for(*order[at]);
        nodes[n] = {nodes[n].speed, static_cast<std::size_t>(order[at] - jobs.data()), overhead, overhead == 0};
        order[at]->cores.push_back(n);
      }
  }
  std::string run() {
    std::size_t open = jobs.size();
    for (ticks now = 0; open > 0; ++now) {
      complete(now);
      for (const speed_change& c : changes)
        if (c.at == now) nodes[c.server].speed = static_cast<std::uint64_t>(c.speed * parts_of_work_in_slots);
      complete(now);
      for (plain_job& j : jobs) {
        if (j.there && !j.gone && j.deadline > 0 && j.deadline * slot == now) leave(j, now, true);
        j.there = j.there || j.request.arrival == now;
      }
      if (now % slot == 0) begin_slot();
      complete(now);
      open = 0;
      for (plain_job& j : jobs) {
        j.left -= std::min(j.left, pace(j));
        open += j.gone ? 0U : 1U;
      }
      for (node& n : nodes)
        if (n.overhead > 0 && --n.overhead == 0) n.worked = true;
    }
    std::string all;
    for (const plain_job& j : jobs) all += fmt::format("{} {} {}, ", j.end.left, j.end.earned, j.end.expired);
    return all;
  }
};

/// A scene of several in one simulation.
struct slots_of_several : sc_core::sc_module {
  slots_of_several(const sc_core::sc_module_name& name, const layout& l, const std::vector<job_request>& jobs)
      : sc_module(name), inner(l, jobs) {}
  scene inner;
};

TEST(slotted_speeds, of_200_random_schedules_bring_jobs_to_their_ends_as_a_loop_over_all_ticks) {
  std::vector<std::string> expected;
  std::vector<unit_jobs> jobs(200);
  std::vector<std::unique_ptr<slots_of_several>> scenes;
  for (unsigned seed = 0; seed < jobs.size(); ++seed) {
    std::mt19937_64 random{seed};
    plain_slots plain;
    plain.nodes.resize(1 + random() % 4);
    plain.by_deadline = seed % 2 == 0;
    plain.overhead = seed % 3 == 0 ? random() % 40 : 0;
    for (ticks at = 0; at < 2000; at += random() % 120)
      plain.changes.push_back({at, static_cast<std::uint32_t>(random() % plain.nodes.size()),
                               static_cast<double>(1 + random() % 192) / parts_of_work_in_slots});
    ticks at = 0;
    for (unsigned n = 0; n < 12; ++n) {
      at += random() % 2 == 0 ? random() % 250 : 100 * (random() % 2);
      const std::uint64_t first = (at + 99) / 100 + 1;
      jobs[seed].add(at, static_cast<unsigned>(1 + random() % 5), random() % 3 == 0 ? 0 : first + random() % 5);
    }
    for (const job_request& r : jobs[seed].requests) {
      plain.jobs.emplace_back();
      plain.jobs.back().request = r;
      plain.jobs.back().deadline = *r.deadline;
      plain.jobs.back().units = r.size / plain_slots::slot;
      plain.jobs.back().left = r.size * parts_of_work_in_slots;
    }
    layout l = slow_machines(plain.nodes.size(), plain.by_deadline ? "edf" : "fifo", plain.changes);
    l.costs.dispatch_latency = plain.overhead;
    l.monitored = seed % 5 == 0;
    expected.push_back(plain.run());
    scenes.push_back(std::make_unique<slots_of_several>(sc_core::sc_gen_unique_name("slots"), l, jobs[seed].requests));
  }
  sc_core::sc_start();
  for (std::size_t n = 0; n < scenes.size(); ++n) {
    const scene& s = scenes[n]->inner;
    s.check();
    std::string found;
    for (std::size_t id = 0; id < s.jobs.jobs.size(); ++id) {
      const outcome o = outcome_of(s, id);
      found += fmt::format("{} {} {}, ", o.left, o.earned, o.expired);
    }
    EXPECT_EQ(found, expected[n]) << "schedule " << n;
  }
}

}  // namespace
}  // namespace muster
