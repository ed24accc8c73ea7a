#include "muster/modules/scheduler/allocation/slot_plan.h"

#include <algorithm>
#include <deque>

#include <rapidcheck.h>

#include <gtest/gtest.h>

namespace muster {
namespace {

/// A plan for some jobs, and what comes of it.
struct planned {
  planned(unsigned cores, ticks length, const std::vector<double>& units) : slot(length), jobs(units.size()) {
    for (job_extension& j : jobs) {
      j.own.progress = std::make_unique<slotted_progress>();
      j.own.progress->place = slot_plan::nowhere;
      j.own.progress->left = 2.0 * cores;
    }
    plan.begin(cores);
    for (std::size_t n = 0; n < jobs.size(); ++n) fits = fits && plan.give(jobs[n], units[n]);
    plan.lay_out(slot, 1);
  }

  /// Core time of each job, in ticks.
  std::vector<ticks> times() {
    std::vector<ticks> sum(jobs.size());
    follow([&](std::size_t place, unsigned cores, ticks duration) { sum[place] += cores * duration; });
    return sum;
  }
  /// The most cores that each job has at an instant.
  std::vector<unsigned> most() {
    std::vector<unsigned> found(jobs.size());
    follow([&](std::size_t place, unsigned cores, ticks duration) {
      if (duration > 0) found[place] = std::max(found[place], cores);
    });
    return found;
  }
  /// The most cores that all jobs have, counted after every single change.
  unsigned most_together() {
    unsigned now = 0;
    for (const slot_plan::entry& e : plan.entries()) now += e.cores;
    unsigned found = now;
    for (const slot_plan::change& c : plan.changes()) {
      now = c.cores > 0 ? now + 1 : now - 1;
      found = std::max(found, now);
    }
    return found;
  }

  // Goes through the slot; what() is told of every job and stretch of time.
  template <class What>
  void follow(What what) {
    std::vector<unsigned> cores;
    for (const slot_plan::entry& e : plan.entries()) cores.push_back(e.cores);
    ticks now = 0;
    const auto until = [&](ticks then) {
      for (std::size_t place = 0; place < cores.size(); ++place) what(place, cores[place], then - now);
      now = then;
    };
    for (const slot_plan::change& c : plan.changes()) {
      until(c.at);
      cores[c.place] = c.cores > 0 ? cores[c.place] + 1 : cores[c.place] - 1;
    }
    until(slot);
  }

  ticks slot;
  std::deque<job_extension> jobs;
  slot_plan plan;
  bool fits = true;
};

TEST(slot_plan, of_whole_units_changes_nothing_within_the_slot) {
  planned p{5, 100, {2, 3}};
  EXPECT_TRUE(p.fits);
  EXPECT_TRUE(p.plan.changes().empty());
  EXPECT_EQ(p.times(), (std::vector<ticks>{200, 300}));
}

TEST(slot_plan, wraps_what_a_core_has_no_room_for_to_the_beginning_of_the_next_one) {
  planned p{2, 90, {2.0 / 3, 2.0 / 3, 2.0 / 3}};
  // The first 0-60 on one core, the second 60-90 there and 0-30 on the other, the third 30-90 there.
  EXPECT_EQ(p.plan.entries()[0].cores, 1u);
  EXPECT_EQ(p.plan.entries()[1].cores, 1u);
  EXPECT_EQ(p.plan.entries()[2].cores, 0u);
  std::vector<std::tuple<ticks, std::uint32_t, int>> changes;
  for (const auto& c : p.plan.changes()) changes.emplace_back(c.at, c.place, c.cores);
  EXPECT_EQ(changes,
            (std::vector<std::tuple<ticks, std::uint32_t, int>>{{30, 1, -1}, {30, 2, +1}, {60, 0, -1}, {60, 1, +1}}));
}

TEST(slot_plan, adds_up_what_a_job_is_given_bit_by_bit) {
  slot_plan plan;
  job_extension j;
  j.own.progress = std::make_unique<slotted_progress>();
  j.own.progress->place = slot_plan::nowhere;
  plan.begin(3);
  for (int n = 0; n < 10; ++n) EXPECT_TRUE(plan.give(j, 0.3));
  EXPECT_FALSE(plan.give(j, 0.3)) << "three cores are given out";
  j.own.progress->left = 5.0;
  plan.lay_out(100, 1);
  ASSERT_EQ(plan.entries().size(), 1u);
  EXPECT_EQ(plan.entries()[0].cores, 3u) << "ten times 0.3 is 3 but for rounding";
  EXPECT_TRUE(plan.changes().empty());
}

TEST(slot_plan, forgets_a_job_that_leaves_and_the_slot_before) {
  planned p{2, 100, {0.5, 1}};
  p.plan.forget(p.jobs[0]);
  EXPECT_EQ(p.plan.entries()[0].owner, nullptr);
  EXPECT_EQ(p.jobs[0].own.progress->place, slot_plan::nowhere);
  p.plan.begin(2);
  EXPECT_EQ(p.jobs[1].own.progress->place, slot_plan::nowhere);
  EXPECT_TRUE(p.plan.entries().empty());
}

/// A slot at random, and shares of its core time that are whole ticks.
struct random_slot {
  unsigned cores = *rc::gen::inRange(1u, 8u);
  ticks length = *rc::gen::element<ticks>(1, 2, 7, 100, 1000, 999'999'937, 1'000'000'000, 1'000'000'000'000);
  std::vector<ticks> times;
  std::vector<double> units;

  random_slot() {
    ticks room = cores * length;
    for (auto jobs = *rc::gen::inRange(1, 10); jobs > 0 && room > 0; --jobs) {
      ticks time = *rc::gen::inRange<ticks>(1, room + 1);
      // Most are short, so that several share a core; some just miss or just exceed whole cores.
      if (*rc::gen::arbitrary<bool>()) time = std::max<ticks>(1, time / cores / 2);
      if (*rc::gen::inRange(0, 4) == 0) {
        const ticks whole = *rc::gen::inRange<ticks>(1, cores + 1) * length + *rc::gen::inRange<ticks>(0, 7);
        time = whole > 3 ? whole - 3 : 1;
      }
      time = std::min(time, room);
      room -= time;
      times.push_back(time);
      units.push_back(static_cast<double>(time) / static_cast<double>(length));
    }
  }
};

TEST(slot_plan, gives_every_job_its_core_time_to_the_tick) {
  ASSERT_TRUE(rc::check([] {
    const random_slot given;
    planned p{given.cores, given.length, given.units};
    RC_ASSERT(p.fits);
    RC_ASSERT(p.times() == given.times);
  }));
}

TEST(slot_plan, never_plans_more_cores_than_there_are) {
  ASSERT_TRUE(rc::check([] {
    const random_slot given;
    planned p{given.cores, given.length, given.units};
    RC_ASSERT(p.most_together() <= given.cores);
  }));
}

TEST(slot_plan, never_lays_a_job_beside_itself) {
  ASSERT_TRUE(rc::check([] {
    const random_slot given;
    planned p{given.cores, given.length, given.units};
    const std::vector<unsigned> most = p.most();
    for (std::size_t n = 0; n < most.size(); ++n)
      RC_ASSERT(most[n] <= (given.times[n] + given.length - 1) / given.length);
  }));
}

TEST(slot_plan, tells_changes_in_the_order_of_time_and_cores_given_up_before_cores_got) {
  ASSERT_TRUE(rc::check([] {
    const random_slot given;
    planned p{given.cores, given.length, given.units};
    const auto& changes = p.plan.changes();
    for (std::size_t n = 0; n < changes.size(); ++n) {
      RC_ASSERT(changes[n].at > 0 && changes[n].at < given.length);
      if (n == 0) continue;
      const auto& before = changes[n - 1];
      RC_ASSERT(before.at < changes[n].at || (before.at == changes[n].at && before.cores <= changes[n].cores));
    }
  }));
}

// As the water level of equal partitioning has it: no whole ticks, and nothing left over.
TEST(slot_plan, gives_equal_shares_whole_ticks_which_differ_by_one_at_most_and_leaves_none) {
  ASSERT_TRUE(rc::check([] {
    const auto cores = *rc::gen::inRange(1u, 50u), jobs = *rc::gen::inRange(1u, 80u);
    const ticks length = *rc::gen::element<ticks>(60, 1000, 1'000'000'000);
    planned p{cores, length, std::vector<double>(jobs, static_cast<double>(cores) / jobs)};
    RC_ASSERT(p.fits);
    std::vector<ticks> expected(jobs, cores * length / jobs);
    for (std::size_t n = 0; n < cores * length % jobs; ++n) ++expected[n];
    RC_ASSERT(p.times() == expected);
    RC_ASSERT(p.most_together() <= cores);
  }));
}

// Both are due 50.5 ticks, and one gets 51: the first one, unless that tick completes what is left of it.
TEST(slot_plan, gives_the_tick_that_is_left_over_to_a_job_that_it_does_not_complete_in_advance) {
  planned p{1, 101, {0.5, 0.5}};
  for (const double left : {101.0, 50.9}) {
    p.plan.begin(1);
    for (job_extension& j : p.jobs) {
      j.own.progress->due = 0.0;
      j.own.progress->left = 1.0;
      EXPECT_TRUE(p.plan.give(j, 0.5));
    }
    p.jobs[0].own.progress->left = left / 101.0;
    p.plan.lay_out(101, 2);
    EXPECT_EQ(p.plan.entries()[0].time, left == 101.0 ? 51u : 50u);
    EXPECT_EQ(p.plan.entries()[1].time, left == 101.0 ? 50u : 51u);
  }
}

// Shares that change from slot to slot, in parts of a slot that ticks need not divide: their exact sums are the
// reference.
TEST(slot_plan, has_given_every_job_its_shares_up_to_each_slot_to_the_tick_and_exactly_where_that_is_a_whole_number) {
  ASSERT_TRUE(rc::check([] {
    const auto cores = *rc::gen::inRange(1u, 6u), jobs = *rc::gen::inRange(2u, 12u);
    const ticks length = *rc::gen::element<ticks>(60, 100, 1000, 1'000'000'000),
                parts = *rc::gen::inRange<ticks>(12, 60);
    planned p{cores, length, std::vector<double>(jobs, static_cast<double>(cores) / jobs)};
    for (job_extension& j : p.jobs) j.own.progress->due = 0.0;
    std::vector<ticks> shares(jobs), given(jobs);  // of all slots so far: in parts of a slot, and in ticks
    for (unsigned slot = 1; slot <= 20; ++slot) {
      p.plan.begin(cores);
      ticks left = cores * parts;
      for (std::uint32_t n = 0; n < jobs; ++n) {
        const ticks most = left - (jobs - n - 1);  // a part at least for each of the others
        const ticks share =
            n + 1 == jobs ? most : std::min(most, *rc::gen::inRange<ticks>(1, 2 * left / (jobs - n) + 2));
        left -= share;
        shares[n] += share;
        p.jobs[n].own.progress->left = 1000.0 * cores;
        RC_ASSERT(p.plan.give(p.jobs[n], static_cast<double>(share) / static_cast<double>(parts)));
      }
      p.plan.lay_out(length, slot);
      for (std::uint32_t n = 0; n < jobs; ++n) given[n] += p.plan.entries()[n].time;
      for (std::uint32_t n = 0; n < jobs; ++n) {
        const ticks exact = shares[n] * length;  // of a tick, these parts
        RC_ASSERT(given[n] == exact / parts || given[n] == (exact + parts - 1) / parts);
      }
    }
  }));
}

}  // namespace
}  // namespace muster
