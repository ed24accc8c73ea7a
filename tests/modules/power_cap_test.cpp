#include <memory>
#include <random>
#include <stdexcept>

#include <fmt/format.h>

#include "muster/modules/kernel/parts_of_ticks.h"
#include "tests/modules/capped_scene.h"
#include "tests/refusal.h"

// Caps on the power of servers: how fast jobs go on, what is drawn, and for how long; by hand and by a loop over all
// ticks.

namespace muster {
namespace {

TEST(power_cap, of_a_server_slows_its_core_until_it_holds) {
  const layout l = warm_servers(1);
  capped_scene s{l, {{0, class_id{0}, 100}}, {{40, cap(0, 1, 60.0)}}};
  s.inner.run();
  EXPECT_EQ(s.end_of(0), 160u);  // 20 W and half of 80 W
  EXPECT_EQ(s.inner.power->time_capped(160), 120u);
  EXPECT_DOUBLE_EQ(s.energy(l), 40 * 100.0 + 120 * 60.0);
  EXPECT_EQ(s.control.power_cap({0, 1}), 60.0);
  EXPECT_EQ(s.control.speed(0), 1.0) << "the speed that is set";
}

TEST(power_cap, of_the_cluster_slows_all_cores_that_work_alike_while_they_would_draw_more) {
  const layout l = warm_servers(2);
  capped_scene s{l, {{0, class_id{0}, 100}, {50, class_id{0}, 20}}, {{0, cap(0, 2, 120.0)}}};
  s.inner.run();
  // Alone the first job goes at full speed: 120 W. Both go at half speed: 40 W and 80 W.
  EXPECT_EQ(s.end_of(1), 90u);
  EXPECT_EQ(s.end_of(0), 120u);
  EXPECT_EQ(s.inner.power->time_capped(120), 40u);
  EXPECT_DOUBLE_EQ(s.energy(l), 120 * 120.0);
}

TEST(power_cap, that_is_taken_away_or_raised_lets_cores_go_on_faster) {
  capped_scene s{warm_servers(1),
                 {{0, class_id{0}, 100}},
                 {{0, cap(0, 1, 40.0)}, {80, cap(0, 1, 60.0)}, {120, cap(0, 1, control_request::no_cap)}}};
  s.inner.run();
  EXPECT_EQ(s.end_of(0), 180u);  // 20 by 80, 40 by 120
  EXPECT_EQ(s.inner.power->time_capped(500), 120u);
  EXPECT_EQ(s.control.power_cap({0, 1}), control_request::no_cap);
}

TEST(power_cap, is_of_the_speeds_that_are_set) {
  capped_scene s{warm_servers(1),
                 {{0, class_id{0}, 100}},
                 {{0, cap(0, 1, 60.0)}, {40, {control_action::speed, {0, 1}, 0.5}}, {80, cap(0, 1, 40.0)}}};
  s.inner.run();
  EXPECT_EQ(s.end_of(0), 320u);  // at 0.5 whether or not the speed is set to that, then at 0.25
  EXPECT_EQ(s.inner.power->time_capped(320), 280u);
}

TEST(power_cap, of_several_sets_leaves_a_core_the_least_of_their_fractions) {
  const layout l = warm_servers(2);
  // Of all: (160 - 40) / 160. Of the first server: 0.5.
  capped_scene s{l, {{0, class_id{0}, 60}, {0, class_id{0}, 60}}, {{0, cap(0, 2, 160.0)}, {0, cap(0, 1, 60.0)}}};
  s.inner.run();
  EXPECT_EQ(s.end_of(1), 80u);
  EXPECT_EQ(s.end_of(0), 120u);
  EXPECT_EQ(s.inner.power->time_capped(120), 120u);
}

TEST(power_cap, slows_a_gang_to_its_slowest_server) {
  layout l = warm_servers(2);
  l.needs = {2};
  capped_scene gang{l, {{0, class_id{0}, 100}}, {{0, cap(1, 1, 60.0)}}};
  gang.inner.run();
  EXPECT_EQ(gang.end_of(0), 200u);
}

TEST(power_cap, slows_a_pooled_job_on_the_capped_server_alone) {
  layout l = warm_servers(2);
  l.policy = "fcfs_pooled";
  capped_scene s{l, {{0, class_id{0}, 150}}, {{0, cap(1, 1, 60.0)}}};
  s.inner.run();
  EXPECT_EQ(s.end_of(0), 100u);
}

TEST(power_cap, below_what_servers_draw_without_work_leaves_the_least_speed_and_counts) {
  capped_scene s{warm_servers(1), {{10, class_id{0}, 1}}, {{0, cap(0, 1, 5.0)}}};
  s.inner.run();
  EXPECT_EQ(s.end_of(0), 1010u);
  EXPECT_EQ(s.inner.power->time_capped(2000), 2000u);
}

TEST(power_cap, counts_overhead_which_it_does_not_slow) {
  layout l = warm_servers(2);
  l.costs.set_up = 20;
  // While the second job is set up at 30 W: 50 W and 80 W, of which 55 W are left; then 40 W and 160 W, of which 65 W.
  capped_scene s{l, {{0, class_id{0}, 100}, {60, class_id{0}, 26}}, {{0, cap(0, 2, 105.0)}}};
  s.inner.run();
  // The first job has a fraction of 65 / 80 when it is alone: 32.5 by 60, 13.75 by 80, 26 by 144; 27.75 are left.
  EXPECT_EQ(s.end_of(1), 144u);
  EXPECT_EQ(s.end_of(0), 178u);  // 34.15 behind 144
}

TEST(power_cap, does_not_count_a_server_that_is_down) {
  script faults{{{1, {{50, 100}}}}};
  layout l = warm_servers(2);
  l.faults = &faults;
  capped_scene s{l, {{0, class_id{0}, 100}}, {{0, cap(0, 2, 100.0)}}};
  s.inner.run_until(400);
  EXPECT_EQ(s.end_of(0), 113u);  // 20 W of the second server leave a fraction of 0.75 until 50: 37.5, and then 62.5
  EXPECT_EQ(s.inner.power->time_capped(400), 50u);
}

TEST(power_cap, slows_slotted_jobs) {
  const utility worth{std::vector<double>{1.0}};
  layout l = warm_servers(2);
  l.policy = "fifo";
  capped_scene s{
      l, {{0, class_id{0}, 100, {}, 0, &worth}, {100, class_id{0}, 100, {}, 0, &worth}}, {{0, cap(0, 2, 80.0)}}};
  s.inner.run();
  EXPECT_EQ(s.end_of(0), 300u);  // alone at 0.5 until 100, then beside the other one at 0.25
  EXPECT_EQ(s.end_of(1), 400u);
}

TEST(power_cap, that_cannot_be_is_refused) {
  capped_scene s{warm_servers(2), {{0, class_id{0}, 1}}, {}};
  const auto complaint = [&](const control_request& wanted) {
    return refusal<std::invalid_argument>([&] { s.control.check(wanted); });
  };
  EXPECT_EQ(complaint(cap(0, 2, 0.0)), "power is capped at 0 W; expected a number > 0");
  EXPECT_EQ(complaint(cap(0, 2, std::nan(""))), "power is capped at nan W; expected a number > 0");
  EXPECT_EQ(complaint(cap(1, 2, 10.0)), "servers 1 to 2 of a cluster of 2; expected servers of it");
  cluster_control without{s.inner.time};
  without.add(*s.inner.servers[0]);
  EXPECT_EQ(refusal<std::invalid_argument>([&] { without.check(cap(0, 1, 10.0)); }),
            "the power of servers is not known; expected servers with power whose speeds may change");
}

/// Gangs in the order of arrival on the first servers that are idle, whose power is capped; tick by tick.
struct plain_power {
  struct node {
    double speed = 1.0, fraction = 1.0;
    bool busy = false;
  };
  struct plain_job {
    ticks arrival = 0;
    tick_sum left = 0;
    std::size_t need = 1;
    std::vector<std::size_t> on;
    ticks end = 0;
  };
  struct capped {
    std::uint32_t first, count;
    double watts;
  };
  std::vector<node> nodes;
  std::vector<plain_job> jobs;
  std::vector<capped> caps;
  cap_orders changes;
  std::size_t arrived = 0, started = 0, ended = 0;
  ticks time_capped = 0;
  double energy = 0.0;

  std::uint64_t pace(const plain_job& j) const {
    double least = 1e9;
    for (const std::size_t n : j.on) least = std::min(least, nodes[n].speed * nodes[n].fraction);
    return parts_per_tick(least);
  }
  void start() {
    for (; started < arrived; ++started) {
      plain_job& j = jobs[started];
      std::vector<std::size_t> idle;
      for (std::size_t n = 0; n < nodes.size() && idle.size() < j.need; ++n)
        if (!nodes[n].busy) idle.push_back(n);
      if (idle.size() < j.need) return;
      j.on = idle;
      for (const std::size_t n : idle) nodes[n].busy = true;
    }
  }
  bool complete(ticks now) {
    bool any = false;
    for (std::size_t at = 0; at < started; ++at) {
      plain_job& j = jobs[at];
      if (j.on.empty() || 2 * j.left >= pace(j)) continue;
      for (const std::size_t n : j.on) nodes[n].busy = false;
      j.on.clear();
      j.end = now;
      ++ended;
      any = true;
      start();
    }
    return any;
  }
  void change(const control_request& what) {
    if (what.what == control_action::speed) {
      nodes[what.servers.first].speed = what.value;
      return;
    }
    for (capped& c : caps)
      if (c.first == what.servers.first && c.count == what.servers.count) {
        c.watts = what.value;
        return;
      }
    caps.push_back({what.servers.first, what.servers.count, what.value});
  }
  // @return whether any cap binds
  bool hold_caps() {
    for (node& n : nodes) n.fraction = 1.0;
    bool any = false;
    for (const capped& c : caps) {
      double still = 0.0, work = 0.0;
      for (std::uint32_t n = c.first; n < c.first + c.count; ++n) {
        still += 20.0;
        if (nodes[n].busy) work += 80.0 * nodes[n].speed;
      }
      if (still + work <= c.watts) continue;
      any = true;
      if (work == 0.0) continue;
      const double fraction = std::max(0.001, (c.watts - still) / work);
      for (std::uint32_t n = c.first; n < c.first + c.count; ++n)
        nodes[n].fraction = std::min(nodes[n].fraction, fraction);
    }
    return any;
  }
  void run() {
    for (ticks now = 0; ended < jobs.size(); ++now) {
      complete(now);
      for (const auto& c : changes)
        if (c.at == now) change(c.what);
      complete(now);
      while (arrived < jobs.size() && jobs[arrived].arrival == now) {
        ++arrived;
        start();
      }
      bool binds = hold_caps();
      while (complete(now)) binds = hold_caps();
      if (ended == jobs.size()) return;
      time_capped += binds ? 1U : 0U;
      for (const node& n : nodes) energy += n.busy ? 20.0 + 80.0 * n.speed * n.fraction : 20.0;
      for (plain_job& j : jobs)
        if (!j.on.empty()) j.left -= std::min<tick_sum>(j.left, pace(j));
    }
  }
};

/// A scene of several in one simulation.
struct caps_of_several : sc_core::sc_module {
  caps_of_several(const sc_core::sc_module_name& name, const layout& l, const std::vector<job_request>& jobs,
                  const cap_orders& orders)
      : sc_module(name), inner(l, jobs, orders) {}
  capped_scene inner;
};

TEST(power_cap, of_200_random_schedules_bring_jobs_to_their_ends_as_a_loop_over_all_ticks) {
  std::vector<plain_power> plain(200);
  std::vector<std::unique_ptr<caps_of_several>> scenes;
  layout l = warm_servers(4);
  l.needs = {3, 2, 1};
  for (unsigned seed = 0; seed < plain.size(); ++seed) {
    std::mt19937_64 random{seed};
    plain_power& p = plain[seed];
    p.nodes.resize(4);
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> sets{{0, 4}, {0, 2}, {2, 2}, {1, 1}, {3, 1}};
    for (ticks at = random() % 20; at < 800; at += 1 + random() % 40) {
      const auto& [first, count] = sets[random() % sets.size()];
      const std::uint64_t choice = random() % 4;
      if (choice == 0)
        p.changes.push_back({at,
                             {control_action::speed,
                              {static_cast<std::uint32_t>(random() % 4), 1},
                              static_cast<double>(1 + random() % 24) / 8.0}});
      else
        p.changes.push_back(
            {at, cap(first, count,
                     choice == 1 ? control_request::no_cap : static_cast<double>(count * (15 + random() % 90)))});
    }
    for (const auto& [first, count] : sets) p.changes.push_back({801, cap(first, count, control_request::no_cap)});
    std::vector<job_request> jobs = random_jobs(20, 3, 25, 60, seed);
    for (job_request& j : jobs) {
      j.size += 10;
      plain_power::plain_job one;
      one.arrival = j.arrival;
      one.left = in_parts(j.size);
      one.need = l.needs[static_cast<std::size_t>(j.type)];
      p.jobs.push_back(one);
    }
    l.monitored = seed % 5 == 0;
    scenes.push_back(std::make_unique<caps_of_several>(sc_core::sc_gen_unique_name("caps"), l, jobs, p.changes));
    p.run();
  }
  sc_core::sc_start();
  ticks capped = 0;
  for (std::size_t seed = 0; seed < plain.size(); ++seed) {
    const capped_scene& s = scenes[seed]->inner;
    s.inner.check();
    std::string found, expected;
    ticks last = 0;
    for (std::size_t id = 0; id < plain[seed].jobs.size(); ++id) {
      found += fmt::format("{} ", s.end_of(id));
      expected += fmt::format("{} ", plain[seed].jobs[id].end);
      last = std::max(last, plain[seed].jobs[id].end);
    }
    EXPECT_EQ(found, expected) << "schedule " << seed;
    const ticks now = s.inner.time.now();
    EXPECT_NEAR(s.energy(l), plain[seed].energy + 80.0 * static_cast<double>(now - last), 1e-6) << "schedule " << seed;
    if (last < 800) continue;
    EXPECT_EQ(s.inner.power->time_capped(now), plain[seed].time_capped) << "schedule " << seed;
    capped += plain[seed].time_capped;
  }
  EXPECT_GT(capped, 10'000u);
}

}  // namespace
}  // namespace muster
