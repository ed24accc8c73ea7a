#include "muster/modules/server/work_clock.h"

#include <algorithm>
#include <map>
#include <memory>
#include <random>

#include "tests/modules/capped_scene.h"

// Clocks of work: when the works that follow them end, by a loop over all ticks; and the slices that do so while a cap
// on power binds, by hand.

namespace muster {
namespace {

/// Changes of a clock at given ticks, and the ends of the works that follow it.
struct followed_clock final : timer_observer, work_clock_observer {
  /// One change: a pace, work that is added, or work that is removed, if it is not done.
  struct change {
    double pace = 0.0;
    tick_sum added = 0;
    std::uint32_t work = 0;
  };

  explicit followed_clock(timekeeper& t) : time(t), clock(t, 1.0) {}

  void expired(ticks now, std::uint32_t) override {
    for (auto c = changes.lower_bound(now); c != changes.upper_bound(now); ++c) make(c->second);
    const auto next = changes.upper_bound(now);
    if (next != changes.end()) time.arm(next->first, timer_rank::observation, *this, 0);
  }
  void make(const change& c) {
    if (c.pace > 0.0) {
      clock.set_pace(c.pace);
    } else if (c.added > 0) {
      followers[c.work] = clock.add(*this, c.work, c.work, c.added);
    } else if (const auto found = followers.find(c.work); found != followers.end()) {
      left[c.work] = clock.remove(found->second);
      followers.erase(found);
    }
  }
  void work_is_due(std::uint32_t cookie, tick_sum rest) override {
    ends[cookie] = time.now();
    left[cookie] = rest;
    followers.erase(cookie);
  }

  timekeeper& time;
  work_clock clock;
  std::multimap<ticks, change> changes;
  std::map<std::uint32_t, work_clock::follower> followers;
  std::map<std::uint32_t, ticks> ends;
  std::map<std::uint32_t, tick_sum> left;
};

/// A clock of work that goes through all ticks, one by one.
struct plain_clock {
  std::map<std::uint32_t, tick_sum> open;
  std::map<std::uint32_t, ticks> ends;
  std::map<std::uint32_t, tick_sum> left;
  std::uint64_t parts = parts_per_tick(1.0);

  void complete(ticks now) {
    for (auto w = open.begin(); w != open.end();) {
      const bool done = 2 * w->second < parts;
      if (done) ends[w->first] = now, left[w->first] = w->second;
      w = done ? open.erase(w) : std::next(w);
    }
  }
  void run(const std::multimap<ticks, followed_clock::change>& changes, ticks end) {
    for (ticks now = 0; now < end; ++now) {
      complete(now);
      for (auto c = changes.lower_bound(now); c != changes.upper_bound(now); ++c) {
        if (c->second.pace > 0.0)
          parts = parts_per_tick(c->second.pace);
        else if (c->second.added > 0)
          open[c->second.work] = c->second.added;
        else if (const auto w = open.find(c->second.work); w != open.end())
          left[w->first] = w->second, open.erase(w);
      }
      complete(now);
      for (auto& w : open) w.second -= std::min<tick_sum>(w.second, parts);
    }
  }
};

TEST(work_clock, ends_works_as_a_loop_over_all_ticks_while_they_come_and_go_and_the_pace_changes) {
  std::vector<std::unique_ptr<timekeeper>> times;
  std::vector<std::unique_ptr<followed_clock>> clocks;
  std::vector<plain_clock> plain(100);
  for (unsigned seed = 0; seed < plain.size(); ++seed) {
    std::mt19937_64 random{seed};
    times.push_back(std::make_unique<timekeeper>(sc_core::sc_gen_unique_name("time")));
    clocks.push_back(std::make_unique<followed_clock>(*times.back()));
    auto& changes = clocks.back()->changes;
    for (std::uint32_t work = 0; work < 60; ++work) {
      const ticks begin = 1 + random() % 400;
      changes.emplace(begin, followed_clock::change{0.0, in_parts(1 + random() % 60) + random() % 1000, work});
      if (random() % 4 == 0) changes.emplace(begin + 1 + random() % 80, followed_clock::change{0.0, 0, work});
    }
    for (ticks at = 1 + random() % 20; at < 400; at += random() % 20)
      changes.emplace(at, followed_clock::change{static_cast<double>(1 + random() % 300) / 100.0, 0, 0});
    changes.emplace(500, followed_clock::change{1.0, 0, 0});
    times.back()->arm(changes.begin()->first, timer_rank::observation, *clocks.back(), 0);
    plain[seed].run(changes, 1000);
  }
  sc_core::sc_start();
  std::size_t removed = 0;
  for (std::size_t seed = 0; seed < plain.size(); ++seed) {
    EXPECT_EQ(clocks[seed]->ends, plain[seed].ends) << "seed " << seed;
    EXPECT_TRUE(clocks[seed]->left == plain[seed].left) << "seed " << seed;
    EXPECT_EQ(plain[seed].left.size(), 60u);
    removed += 60 - plain[seed].ends.size();
  }
  EXPECT_GT(removed, 100u);
}

TEST(work_clock, that_is_slow_lets_no_work_that_is_not_the_next_one_leave_the_range_of_the_clock) {
  timekeeper time{"time"};
  followed_clock c{time};
  c.changes = {{1, {1e-6, 0, 0}},
               {2, {0.0, in_parts(10), 1}},
               {3, {0.0, in_parts(ticks{1} << 60U), 2}},
               {4, {2.0, 0, 0}},
               {50, {0.0, 0, 2}}};
  time.arm(1, timer_rank::observation, c, 0);
  sc_core::sc_start();
  EXPECT_EQ(c.ends, (std::map<std::uint32_t, ticks>{{1, 9}}));
}

/// Notes how many timers are set.
struct timer_count final : timer_observer {
  explicit timer_count(timekeeper& t) : time(t) {}
  void expired(ticks, std::uint32_t) override { armed.push_back(time.armed()); }
  timekeeper& time;
  std::vector<std::size_t> armed;
};

TEST(work_clock, needs_one_timer_for_all_rigid_jobs_in_service_while_a_cap_binds) {
  layout l = warm_servers(60);
  l.needs = {3, 1};
  std::vector<job_request> jobs;
  for (ticks n = 0; n < 30; ++n) jobs.push_back({0, class_id{n % 3 == 0 ? 0U : 1U}, 1000 + 7 * n});
  capped_scene s{l, jobs, {{10, cap(0, 60, 3000.0)}}};
  timer_count count{s.inner.time};
  for (const ticks at : {5, 20}) s.inner.time.arm(at, timer_rank::observation, count, 0);
  s.inner.run();
  ASSERT_EQ(count.armed.size(), 2u);
  EXPECT_EQ(count.armed[0], 52u) << "50 slices, the cap, and the second count";
  EXPECT_EQ(count.armed[1], 1u);
}

/// When a job ends that works alone on a core of 20 W idle and 100 W at work, which is capped from 20 on.
ticks end_of_capped_job(layout l, ticks size, std::vector<job_request> others = {}) {
  others.insert(others.begin(), {0, class_id{0}, size});
  capped_scene s{l, others, {{20, cap(0, 1, 60.0)}}};
  s.inner.run_until(10'000);
  return s.end_of(0);
}

TEST(work_clock, says_what_has_been_done_when_a_server_fails) {
  script faults{{{0, {{60, 20}}}}};
  layout l = warm_servers(1);
  l.faults = &faults;
  l.checkpoint = 0;
  EXPECT_EQ(end_of_capped_job(l, 100), 200u);  // 40 are done at 60, the other 60 take 120
}

TEST(work_clock, says_what_has_been_done_when_a_job_is_preempted_and_saves) {
  layout l = warm_servers(1);
  l.policy = "last_come_first_served";
  l.costs.save = 10;
  // 30 are done at 40; the other job works from 50 to 70.
  EXPECT_EQ(end_of_capped_job(l, 100, {{40, class_id{0}, 10}}), 210u);
}

TEST(work_clock, says_when_a_checkpoint_comes) {
  script none{{}};
  layout l = warm_servers(1);
  l.faults = &none;
  l.checkpoint = 30;
  l.costs.checkpoint = 5;
  // 20 are done at 20; checkpoints from 40 to 45 and from 105 to 110.
  EXPECT_EQ(end_of_capped_job(l, 70), 130u);
}

TEST(work_clock, is_left_by_a_gang_of_which_one_server_alone_becomes_slower_and_followed_again) {
  layout l = warm_servers(2);
  l.needs = {2};
  const control_request slow{control_request::action::speed, {0, 1}, 0.5},
      full{control_request::action::speed, {0, 1}, 1.0};
  // 40 W are drawn without work. Of 160 W, or of 120 W with the slow server, 80 W are left: fractions of 0.5 and 2/3.
  capped_scene s{l, {{0, class_id{0}, 100}}, {{0, cap(0, 2, 120.0)}, {40, slow}, {70, full}}};
  s.inner.run();
  EXPECT_EQ(s.end_of(0), 210u);  // 20 by 40, a third of 30 by 70, and 70 at half speed
}

TEST(work_clock, is_not_followed_by_a_gang_of_unlike_capacities_until_its_slowest_server_works) {
  layout l = warm_servers(2);
  l.groups[1].capacity = 2.0;
  l.needs = {2};
  capped_scene s{l, {{0, class_id{0}, 100}}, {{0, cap(0, 2, 120.0)}}};
  s.inner.run();
  EXPECT_EQ(s.end_of(0), 200u);
}

}  // namespace
}  // namespace muster
