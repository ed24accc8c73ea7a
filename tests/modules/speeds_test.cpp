#include <memory>
#include <stdexcept>

#include <fmt/format.h>

#include "tests/modules/scene.h"
#include "tests/refusal.h"

// Servers whose speed changes while they work: when jobs are done, by hand and by a loop over all ticks.

namespace muster {
namespace {

/// Servers of one core each. @param capacities of each server, which is a group of its own
layout single_cores(const std::vector<double>& capacities, std::vector<speed_change> speeds) {
  layout l;
  l.groups.clear();
  for (const double capacity : capacities)
    l.groups.push_back({"node_" + std::to_string(l.groups.size()), 1, 1, capacity});
  l.speeds = std::move(speeds);
  l.monitored = true;
  return l;
}

/// When the only job is complete. @param need cores of the job
ticks end_of_job(layout l, ticks size, unsigned need = 1) {
  l.needs = {need};
  scene s{l, {{0, class_id{0}, size}}};
  s.run_until(10'000);
  return s.log.records.at(0).completed;
}

TEST(speeds, of_a_server_determine_how_fast_the_rest_of_a_job_is_done) {
  layout l = single_cores({1.0}, {{40, 0, 0.5}});
  l.accounts_times = true;
  scene s{l, {{0, class_id{0}, 100}, {10, class_id{0}, 7}}};
  s.run();
  EXPECT_EQ(s.log.of(0).completed, 160u);
  EXPECT_EQ(s.log.of(1).completed, 174u);
  EXPECT_EQ(s.all_cores().running, 174u);
  EXPECT_EQ(s.log.of(0).spent, (by_time_part<ticks>{160, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(speeds, add_up_exactly_and_the_end_is_the_nearest_tick) {
  // 10 + 3 + 9.1 are done at 33, and 77.9 are left.
  EXPECT_EQ(end_of_job(single_cores({1.0}, {{10, 0, 0.3}, {20, 0, 0.7}, {33, 0, 1.0}}), 100), 111u);
}

TEST(speeds, greater_than_1_end_a_job_earlier_and_halves_of_ticks_are_rounded_upwards) {
  EXPECT_EQ(end_of_job(single_cores({1.0}, {{10, 0, 4.0}}), 20), 13u);
}

TEST(speeds, of_which_several_come_at_one_instant_are_the_last) {
  EXPECT_EQ(end_of_job(single_cores({1.0}, {{40, 0, 0.5}, {40, 0, 1.0}, {70, 0, 0.1}, {70, 0, 0.5}}), 100), 130u);
}

/// Changes the speed of the first server to and fro at each tick.
struct shaker final : timer_observer {
  explicit shaker(scene& of) : shaken(of) {}
  void expired(ticks now, std::uint32_t) override {
    const double before = shaken.speeds->speed(0);
    shaken.speeds->set(0, before / 3.0);
    shaken.speeds->set(0, before);
    if (now < 90) shaken.time.arm(now + 1, timer_rank::observation, *this, 0);
  }
  scene& shaken;
};

TEST(speeds, that_come_back_at_the_same_instant_change_nothing) {
  scene s{single_cores({1.0}, {{20, 0, 0.7}}), {{0, class_id{0}, 70}}};
  shaker all{s};
  s.time.arm(1, timer_rank::observation, all, 0);
  s.run();
  EXPECT_EQ(s.log.of(0).completed, 91u);  // 20 + 50 / 0.7 = 91.4
}

TEST(speeds, of_a_gang_are_that_of_its_slowest_server) {
  // 10 and half of 10 are done at 20, and 85 are left.
  EXPECT_EQ(end_of_job(single_cores({1.0, 1.0}, {{10, 0, 0.5}, {20, 1, 0.25}}), 100, 2), 360u);
}

TEST(speeds, of_a_gang_come_back_with_the_slowest_server) {
  // 10 + 2.5 + 15 are done at 50, where the first server still has half its speed.
  EXPECT_EQ(end_of_job(single_cores({1.0, 1.0}, {{10, 1, 0.25}, {20, 0, 0.5}, {20, 1, 1.0}, {50, 0, 1.0}}), 100, 2),
            50u + 73u);  // 72.5
}

TEST(speeds, of_a_fast_server_have_no_effect_on_a_gang_while_another_one_is_slower) {
  EXPECT_EQ(end_of_job(single_cores({1.0, 2.0}, {{10, 1, 0.5}}), 100, 2), 100u);
}

TEST(speeds, of_a_fast_server_slow_a_gang_once_it_is_the_slowest) {
  EXPECT_EQ(end_of_job(single_cores({1.0, 2.0}, {{10, 1, 0.25}}), 100, 2), 190u);
}

TEST(speeds, have_no_effect_on_overhead) {
  layout l = single_cores({1.0}, {{4, 0, 0.5}});
  l.costs.set_up = 10;
  EXPECT_EQ(end_of_job(l, 100), 210u);
}

TEST(speeds, of_a_gang_count_also_on_a_server_that_is_not_ready) {
  // The first server has just worked; the second one sleeps, and wakes for 20. Both go at half speed from 110 to 160.
  layout l = single_cores({1.0, 1.0}, {{110, 0, 0.5}, {160, 0, 1.0}});
  l.costs.sleep_after = 50;
  l.costs.wake = 20;
  l.needs = {2, 1};
  scene s{l, {{0, class_id{1}, 90}, {100, class_id{0}, 100}}};
  s.run();
  EXPECT_EQ(s.log.of(1).completed, 240u);  // from 120 on: 20 are done at 160
}

TEST(speeds, of_pooled_servers_add_up) {
  layout l = single_cores({1.0, 2.0}, {{50, 1, 0.5}, {100, 0, 0.1}});
  l.policy = "fcfs_pooled";
  EXPECT_EQ(end_of_job(l, 300), 145u);  // 50 * 3 + 50 * 2 + 45.45 * 1.1
}

TEST(speeds, say_what_has_been_done_when_a_server_fails) {
  script faults{{{0, {{60, 20}}}}};
  layout l = single_cores({1.0}, {{20, 0, 0.5}});
  l.faults = &faults;
  l.checkpoint = 0;
  EXPECT_EQ(end_of_job(l, 100), 200u);  // 40 are done at 60, the other 60 take 120
}

TEST(speeds, say_which_checkpoint_a_failure_leaves) {
  script faults{{{0, {{100, 20}}}}};
  layout l = single_cores({1.0}, {{0, 0, 0.5}});
  l.faults = &faults;
  l.checkpoint = 30;
  EXPECT_EQ(end_of_job(l, 100), 260u);  // 50 are done at 100, of which 30 are kept
}

TEST(speeds, say_what_has_been_done_when_a_job_is_preempted) {
  layout l = single_cores({1.0}, {{20, 0, 0.5}});
  l.policy = "last_come_first_served";
  scene s{l, {{0, class_id{0}, 100}, {40, class_id{0}, 10}}};
  s.run();
  EXPECT_EQ(s.log.of(1).completed, 60u);
  EXPECT_EQ(s.log.of(0).completed, 200u);  // 30 are done at 40
}

TEST(speeds, let_jobs_exceed_what_backfilling_expects_of_them) {
  layout l = single_cores({1.0, 1.0}, {{10, 0, 0.5}, {10, 1, 0.5}});
  l.policy = "easy_backfill";
  l.needs = {2, 1};
  scene s{l, {{0, class_id{1}, 100}, {1, class_id{0}, 10}, {2, class_id{1}, 50}}};
  s.run();
  EXPECT_EQ(s.log.of(2).completed, 94u);  // it is backfilled, and 8 are done at 10
  EXPECT_EQ(s.log.of(0).completed, 190u);
  EXPECT_EQ(s.log.of(1).completed, 210u);
}

TEST(speeds, say_when_a_checkpoint_comes) {
  script none{{}};
  layout l = single_cores({1.0}, {{0, 0, 0.5}, {62, 0, 1.0}});
  l.faults = &none;
  l.checkpoint = 30;
  l.costs.checkpoint = 5;
  EXPECT_EQ(end_of_job(l, 70), 110u);  // checkpoints from 60 to 65 and from 95 to 100
}

TEST(speeds, out_of_range_are_refused) {
  server_speeds two{std::vector<double>{1.0, 1.0}};
  const auto complaint = [&](std::uint32_t server, double speed) {
    return refusal<std::invalid_argument>([&] { two.set(server, speed); });
  };
  EXPECT_EQ(complaint(1, 0.001), "");
  EXPECT_EQ(complaint(0, 10.0), "");
  EXPECT_EQ(complaint(2, 0.5), "the speed of server 2 is set; expected a server below 2");
  EXPECT_EQ(complaint(1, 0.0), "the speed of server 1 is set to 0; expected a number from 0.001 to 10");
  server_settings bank;
  bank.first_in_network = 2;
  bank.speeds = &two;
  EXPECT_THROW(check(bank), std::invalid_argument);
}

constexpr std::uint64_t parts_of_a_tick = 64;  // of work of a tick at speed 1

/// The course of a list of jobs, looked at tick by tick. Work is counted in parts of a tick.
struct plain_course {
  struct plain_job {
    job_request request;
    std::uint64_t left = 0, slowest = 1;
    std::vector<std::size_t> servers;
    bool there = false, started = false;
    ticks completed = 0;
  };
  std::vector<plain_job> jobs;
  std::vector<std::uint64_t> capacities, speeds;  // by server; speeds in parts of a tick
  std::vector<speed_change> changes;

  virtual ~plain_course() = default;
  /// Gives servers to jobs, at each event.
  virtual void give() = 0;
  /// Work that is done in a tick.
  virtual std::uint64_t pace(const plain_job& j) const = 0;

  // A job is complete at the tick that is nearest to the end of its work.
  void complete(ticks now) {
    for (plain_job& j : jobs) {
      if (!j.started || 2 * j.left >= pace(j)) continue;
      j.completed = now;
      j.started = j.there = false;
      j.servers.clear();
      give();
    }
  }
  void run() {
    std::size_t next = 0;
    std::size_t open = jobs.size();
    for (ticks now = 0; open > 0; ++now) {
      complete(now);
      for (const speed_change& c : changes)
        if (c.at == now) speeds[c.server] = static_cast<std::uint64_t>(c.speed * parts_of_a_tick);
      complete(now);
      for (; next < jobs.size() && jobs[next].request.arrival == now; ++next) {
        jobs[next].there = true;
        give();
      }
      open = 0;
      for (plain_job& j : jobs) {
        if (j.started) j.left -= std::min(j.left, pace(j));
        open += j.there || j.request.arrival > now ? 1U : 0U;
      }
    }
  }
  bool is_idle(std::size_t server) const {
    return std::none_of(jobs.begin(), jobs.end(),
                        [&](const plain_job& j) { return std::count(j.servers.begin(), j.servers.end(), server) > 0; });
  }
  std::string text() const {
    std::string all;
    for (const plain_job& j : jobs) all += fmt::format("{} ", j.completed);
    return all;
  }
};

/// Rigid jobs in the order of arrival, on the first servers that are idle.
struct plain_gangs final : plain_course {
  std::vector<std::size_t> needs;

  void give() override {
    for (plain_job& j : jobs) {
      if (!j.there || j.started) continue;
      std::vector<std::size_t> idle;
      for (std::size_t s = 0; s < capacities.size(); ++s)
        if (is_idle(s)) idle.push_back(s);
      const std::size_t need = needs[static_cast<std::size_t>(j.request.type)];
      if (idle.size() < need) return;
      j.servers.assign(idle.begin(), idle.begin() + static_cast<std::ptrdiff_t>(need));
      j.slowest = capacities[j.servers.front()];
      for (const std::size_t s : j.servers) j.slowest = std::min(j.slowest, capacities[s]);
      j.left = j.request.size / j.slowest * parts_of_a_tick;
      j.started = true;
    }
  }
  std::uint64_t pace(const plain_job& j) const override {
    std::uint64_t least = ~std::uint64_t{0};
    for (const std::size_t s : j.servers) least = std::min(least, capacities[s] * speeds[s] / j.slowest);
    return least;
  }
};

/// Jobs that have drawn servers, each of which serves the first of its jobs.
struct plain_pool final : plain_course {
  void give() override {
    for (plain_job& j : jobs) {
      if (!j.there) continue;
      if (!j.started) j.left = j.request.size * parts_of_a_tick;
      for (const std::uint64_t s : j.request.servers)
        if (is_idle(s)) j.servers.push_back(s);
      j.started = j.started || !j.servers.empty();
    }
  }
  std::uint64_t pace(const plain_job& j) const override {
    std::uint64_t sum = 0;
    for (const std::size_t s : j.servers) sum += capacities[s] * speeds[s];
    return sum;
  }
};

std::vector<speed_change> random_changes(std::mt19937_64& random, std::size_t servers) {
  std::vector<speed_change> all;
  for (ticks at = random() % 30; at < 600; at += random() % 30) {
    const auto server = static_cast<std::uint32_t>(random() % servers);
    const std::uint64_t choice = random() % 4;
    all.push_back(
        {at, server, choice == 0 ? 1.0 : static_cast<double>(1 + random() % (choice * 64)) / parts_of_a_tick});
  }
  return all;
}

/// A scene of several in one simulation.
struct scene_of_several : sc_core::sc_module {
  scene_of_several(const sc_core::sc_module_name& name, const layout& l, const std::vector<job_request>& jobs)
      : sc_module(name), inner(l, jobs) {}
  scene inner;
};

/// Random courses that are looked at tick by tick, and simulated all at once.
class courses {
 public:
  template <class Course>
  void add(Course plain, const layout& l, const std::vector<job_request>& jobs) {
    plain.changes = l.speeds;
    for (const server_group& g : l.groups) plain.capacities.push_back(static_cast<std::uint64_t>(g.capacity));
    plain.speeds.assign(l.groups.size(), parts_of_a_tick);
    for (const job_request& r : jobs) {
      plain.jobs.emplace_back();
      plain.jobs.back().request = r;
    }
    plain.run();
    expected_.push_back(plain.text());
    scenes_.push_back(std::make_unique<scene_of_several>(sc_core::sc_gen_unique_name("course"), l, jobs));
  }
  void compare() const {
    sc_core::sc_start();
    for (std::size_t n = 0; n < scenes_.size(); ++n) {
      const scene& s = scenes_[n]->inner;
      s.check();
      std::string found;
      for (std::size_t id = 0; id < s.jobs.jobs.size(); ++id) found += fmt::format("{} ", s.log.of(id).completed);
      EXPECT_EQ(found, expected_[n]) << "course " << n;
    }
  }

 private:
  std::vector<std::string> expected_;
  std::vector<std::unique_ptr<scene_of_several>> scenes_;
};

TEST(speeds, of_200_random_schedules_bring_gangs_to_their_ends_as_a_loop_over_all_ticks) {
  courses all;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    std::mt19937_64 random{seed};
    layout l = single_cores({1.0, 1.0, 2.0, 1.0, 2.0}, random_changes(random, 5));
    l.needs = {4, 3, 2, 1};
    l.monitored = seed % 4 == 0;
    std::vector<job_request> jobs = random_jobs(20, 4, 15, 40, seed);
    for (job_request& j : jobs) j.size = 4 + 2 * j.size;
    plain_gangs plain;
    plain.needs = {4, 3, 2, 1};
    all.add(plain, l, jobs);
  }
  all.compare();
}

TEST(speeds, of_200_random_schedules_bring_pooled_jobs_to_their_ends_as_a_loop_over_all_ticks) {
  courses all;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    std::mt19937_64 random{seed};
    layout l = single_cores({1.0, 3.0, 2.0, 1.0}, random_changes(random, 4));
    l.policy = "fcfs_pooled";
    l.drawn = 2;
    l.monitored = seed % 4 == 0;
    std::vector<job_request> jobs = random_jobs(20, 1, 15, 60, seed);
    for (job_request& j : jobs) {
      j.size += 20;
      const std::uint64_t one = random() % 4;
      j.servers = {one, (one + 1 + random() % 3) % 4};
    }
    plain_pool plain;
    all.add(plain, l, jobs);
  }
  all.compare();
}

}  // namespace
}  // namespace muster
