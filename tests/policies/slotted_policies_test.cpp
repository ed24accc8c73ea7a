#include <numeric>

#include <rapidcheck.h>

#include <gtest/gtest.h>

#include "tests/policies/slot_scene.h"

namespace muster {
namespace {

using shares = slot_scene::shares;

/// Units that gain 1 each.
std::vector<double> plain(std::size_t units) { return std::vector<double>(units, 1.0); }

TEST(ispeed, gives_each_core_to_the_unit_that_adds_most) {
  slot_scene s{4, "ispeed"};
  s.arrive({4, 2, 1});
  s.arrive({3, 3, 1});
  s.arrive({1.5});
  EXPECT_EQ(s.slot(), (shares{2, 2, 0})) << "the gains 4, 3, 3 and 2";
  EXPECT_EQ(s.slot(), (shares{1, 1, 1})) << "a core stays idle";
  EXPECT_FALSE(s.anyone_here());
}

TEST(ispeed, takes_a_core_away_from_a_job_whose_next_unit_adds_less) {
  slot_scene s{1, "ispeed"};
  s.arrive({5, 1});
  EXPECT_EQ(s.slot(), (shares{1}));
  s.arrive({3, 2, 0.5});
  EXPECT_EQ(s.slot(), (shares{0, 1}));
  EXPECT_EQ(s.slot(), (shares{0, 1}));
  EXPECT_EQ(s.slot(), (shares{1, 0}));
  EXPECT_EQ(s.slot(), (shares{0, 1}));
}

TEST(ispeed, serves_of_equal_gains_the_earlier_arrival_and_then_the_lower_id) {
  slot_scene s{1, "ispeed"};
  s.arrive({1}, 0, 5);
  s.arrive({1}, 0, 3);
  s.arrive({1}, 0, 3);
  EXPECT_EQ(s.slot(), (shares{0, 1, 0}));
  EXPECT_EQ(s.slot(), (shares{0, 0, 1}));
  EXPECT_EQ(s.slot(), (shares{1, 0, 0}));
}

TEST(ispeed, breaks_ties_anew_for_every_core) {
  slot_scene s{3, "ispeed"};
  s.arrive({2, 2, 1});
  s.arrive({2, 2, 1});
  EXPECT_EQ(s.slot(), (shares{2, 1})) << "the first job's second unit ties with the second job's first";
  EXPECT_EQ(s.slot(), (shares{1, 2}));
}

TEST(ispeed, looks_beyond_a_set_up_by_the_envelope_and_not_if_it_is_literal) {
  // Mean gains from the set-up job's units on: 3, 4.5 and 9.
  const auto set_up_and_plain = [](const std::string& gain) {
    slot_scene s{1, "ispeed", gain};
    s.arrive({0, 0, 9});
    s.arrive({2, 2});
    std::vector<shares> slots;
    while (s.anyone_here()) slots.push_back(s.slot());
    return slots;
  };
  const shares first{1, 0}, second{0, 1};
  EXPECT_EQ(set_up_and_plain("envelope"), (std::vector<shares>{first, first, first, second, second}));
  EXPECT_EQ(set_up_and_plain("literal"), (std::vector<shares>{second, second, first, first, first}));
}

TEST(ispeed, serves_units_without_gain_when_literal_but_last) {
  slot_scene s{3, "ispeed", "literal"};
  s.arrive({0, 0, 9});
  s.arrive({2, 2});
  EXPECT_EQ(s.slot(), (shares{1, 2}));
}

/// For every core a search for the best unit that comes next; of equal gains the first job's.
shares by_search(unsigned cores, const std::vector<std::vector<double>>& gains, const shares& done) {
  shares given(gains.size(), 0.0);
  const auto next = [&](std::size_t n) { return static_cast<std::size_t>(done[n] + given[n]); };
  for (; cores > 0; --cores) {
    std::size_t best = gains.size();
    for (std::size_t n = 0; n < gains.size(); ++n)
      if (next(n) < gains[n].size() && (best == gains.size() || gains[n][next(n)] > gains[best][next(best)])) best = n;
    if (best < gains.size()) ++given[best];
  }
  return given;
}

TEST(ispeed, gives_the_cores_that_a_search_among_all_units_gives) {
  ASSERT_TRUE(rc::check([] {
    const auto cores = *rc::gen::inRange(1u, 20u);
    slot_scene s{cores, "ispeed", "literal"};
    std::vector<std::vector<double>> gains;
    shares done;
    for (ticks slot = 0; slot < 4; ++slot) {
      for (auto arrivals = *rc::gen::inRange(0, 6); arrivals > 0; --arrivals) {
        gains.emplace_back();
        for (auto units = *rc::gen::inRange(1, 9); units > 0; --units) gains.back().push_back(*rc::gen::inRange(0, 6));
        s.arrive(gains.back(), 0, slot);
        done.push_back(0.0);
      }
      const shares expected = by_search(cores, gains, done);
      RC_ASSERT(s.slot() == expected);
      for (std::size_t n = 0; n < done.size(); ++n) done[n] += expected[n];
    }
  }));
}

TEST(fifo, gives_all_cores_to_the_jobs_in_order_of_arrival) {
  slot_scene s{3, "fifo"};
  s.arrive(plain(2), 0, 7);
  s.arrive(plain(5), 0, 4);
  s.arrive({100}, 0, 7);
  EXPECT_EQ(s.slot(), (shares{0, 3, 0}));
  EXPECT_EQ(s.slot(), (shares{1, 2, 0}));
  EXPECT_EQ(s.slot(), (shares{1, 0, 1}));
}

TEST(edf, gives_all_cores_to_the_jobs_in_order_of_their_deadlines_and_those_without_come_last) {
  slot_scene s{2, "edf"};
  s.arrive(plain(2));
  s.arrive(plain(1), 9);
  s.arrive(plain(3), 5, 1);
  s.arrive(plain(1), 5);
  EXPECT_EQ(s.slot(), (shares{0, 0, 1, 1})) << "of equal deadlines the earlier arrival";
  EXPECT_EQ(s.slot(), (shares{0, 0, 2, 0}));
  EXPECT_EQ(s.slot(), (shares{1, 1, 0, 0}));
  EXPECT_EQ(s.slot(), (shares{1, 0, 0, 0}));
}

TEST(edf, lets_a_job_of_a_nearer_deadline_take_the_cores_over) {
  slot_scene s{1, "edf"};
  s.arrive(plain(2), 9);
  EXPECT_EQ(s.slot(), (shares{1}));
  s.arrive(plain(1), 8);
  EXPECT_EQ(s.slot(), (shares{0, 1}));
  EXPECT_EQ(s.slot(), (shares{1, 0}));
}

TEST(equal_partitioning, gives_the_same_to_all_who_have_use_for_it) {
  slot_scene s{7, "equal_partitioning"};
  s.arrive(plain(1));
  s.arrive(plain(5));
  s.arrive(plain(5));
  EXPECT_EQ(s.slot(), (shares{1, 3, 3})) << "what the first has no use for goes to the others";
  EXPECT_EQ(s.slot(), (shares{0, 2, 2}));
}

TEST(equal_partitioning, gives_what_does_not_divide_to_those_served_least) {
  slot_scene s{5, "equal_partitioning"};
  s.arrive(plain(20));
  EXPECT_EQ(s.slot(), (shares{5}));
  s.arrive(plain(20));
  EXPECT_EQ(s.slot(), (shares{2, 3}));
  EXPECT_EQ(s.slot(), (shares{2, 3}));
  s.arrive(plain(20), 0, 1);
  s.arrive(plain(20));
  EXPECT_EQ(s.slot(), (shares{1, 1, 1, 2})) << "none of the last two has been served; the fourth arrived earlier";
}

TEST(equal_partitioning, gives_no_core_that_does_not_divide_to_a_job_that_has_no_use_for_it) {
  slot_scene s{4, "equal_partitioning"};
  s.arrive(plain(1));
  s.arrive(plain(3), 0, 1);
  s.arrive(plain(3), 0, 1);
  EXPECT_EQ(s.slot(), (shares{1, 2, 1}));
}

TEST(equal_partitioning, takes_turns_where_there_are_more_jobs_than_cores) {
  slot_scene s{2, "equal_partitioning"};
  for (int n = 0; n < 3; ++n) s.arrive(plain(3));
  EXPECT_EQ(s.slot(), (shares{1, 1, 0}));
  EXPECT_EQ(s.slot(), (shares{1, 0, 1}));
  EXPECT_EQ(s.slot(), (shares{0, 1, 1}));
  EXPECT_EQ(s.slot(), (shares{1, 1, 0}));
  EXPECT_EQ(s.slot(), (shares{0, 0, 1}));
  EXPECT_FALSE(s.anyone_here());
}

TEST(equal_partitioning_of_core_time, rises_to_the_same_level_for_all_who_have_use_for_it) {
  slot_scene s{4, "equal_partitioning", "fractional"};
  s.arrive(plain(1));
  s.arrive(plain(4));
  s.arrive(plain(4));
  EXPECT_EQ(s.slot(), (shares{1, 1.5, 1.5}));
  EXPECT_EQ(s.slot(), (shares{0, 2, 2}));
  EXPECT_EQ(s.left(1), 0.5);
  EXPECT_EQ(s.slot(), (shares{0, 1, 1})) << "there are whole cores for all that is left";
}

TEST(equal_partitioning_of_core_time, ends_a_simulation_with_fewer_jobs_than_a_policy_that_serves_some) {
  EXPECT_EQ((slot_scene{2, "equal_partitioning", "fractional"}.most_jobs_in_system()), 2'000u);
  EXPECT_EQ((slot_scene{2, "equal_partitioning", "whole_units"}.most_jobs_in_system()), 1'000'000u);
}

TEST(equal_partitioning_of_core_time, is_less_than_a_core_where_there_are_more_jobs_than_cores) {
  slot_scene s{2, "equal_partitioning", "fractional"};
  for (int n = 0; n < 4; ++n) s.arrive(plain(1));
  EXPECT_EQ(s.slot(), (shares{0.5, 0.5, 0.5, 0.5}));
  s.arrive(plain(8));
  EXPECT_EQ(s.slot(), (shares{0.4, 0.4, 0.4, 0.4, 0.4}));
  EXPECT_NEAR(s.left(0), 0.1, 1e-12);
  const shares last = s.slot();
  for (std::size_t n = 0; n < 4; ++n) EXPECT_NEAR(last[n], 0.1, 1e-12) << "no more than is left";
  EXPECT_NEAR(last[4], 1.6, 1e-12);
}

/// Every way to run a policy of slotted jobs.
struct variant {
  const policy_entry* entry;
  std::string choice;
};

std::vector<variant> all_variants() {
  std::vector<variant> all;
  for (const policy_entry* entry : policy_catalogue()) {
    if (entry->jobs() != job_kind::slotted) continue;
    if (entry->parameters.empty()) all.push_back({entry, ""});
    for (const parameter& p : entry->parameters)
      for (const auto word : std::get<choice_parameter>(p.type).words) all.push_back({entry, std::string{word}});
  }
  return all;
}

TEST(slotted_policies, do_not_serve_a_job_that_has_expired_whether_it_waits_or_is_served) {
  for (const variant& v : all_variants()) {
    slot_scene s{2, v.entry->name, v.choice};
    for (int n = 0; n < 4; ++n) s.arrive(plain(9), 100);
    s.slot();
    for (const std::size_t number : {0, 3}) s.expire(number);  // served under most policies, and waiting
    const shares given = s.slot();
    EXPECT_EQ(given[0] + given[3], 0.0) << v.entry->name << ' ' << v.choice;
    EXPECT_EQ(given[1] + given[2], 2.0) << v.entry->name << ' ' << v.choice;
  }
}

/// Jobs at random, the same on two scenes but for their deadlines. @return what both give out, slot by slot
std::pair<std::vector<shares>, std::vector<shares>> with_two_kinds_of_deadlines(const variant& v) {
  const auto cores = *rc::gen::inRange(1u, 6u);
  slot_scene one{cores, v.entry->name, v.choice}, other{cores, v.entry->name, v.choice};
  std::pair<std::vector<shares>, std::vector<shares>> given;
  for (ticks slot = 0; slot < 12; ++slot) {
    for (auto arrivals = *rc::gen::inRange(0, 4); arrivals > 0; --arrivals) {
      std::vector<double> gains;
      for (auto units = *rc::gen::inRange(1, 6); units > 0; --units) gains.push_back(*rc::gen::inRange(0, 4));
      one.arrive(gains, *rc::gen::inRange(0u, 20u), slot);
      other.arrive(gains, *rc::gen::inRange(0u, 20u), slot);
    }
    given.first.push_back(one.slot());
    given.second.push_back(other.slot());
  }
  return given;
}

TEST(slotted_policies, that_do_not_declare_that_they_see_deadlines_do_not_look_at_them) {
  for (const variant& v : all_variants()) {
    if (v.entry->sees_deadlines) continue;
    ASSERT_TRUE(rc::check([&] {
      const auto [one, other] = with_two_kinds_of_deadlines(v);
      RC_ASSERT(one == other);
    })) << v.entry->name;
  }
}

// What the scene refuses would be a fault: more than there is, nothing at all, and so on.
TEST(slotted_policies, give_out_every_core_that_is_of_use_and_to_no_job_more_than_it_can_use) {
  for (const variant& v : all_variants())
    ASSERT_TRUE(rc::check([&] {
      const auto cores = *rc::gen::inRange(1u, 9u);
      slot_scene s{cores, v.entry->name, v.choice};
      for (ticks slot = 0; slot < 12; ++slot) {
        for (auto arrivals = *rc::gen::inRange(0, 4); arrivals > 0; --arrivals)
          s.arrive(std::vector<double>(*rc::gen::inRange<std::size_t>(1, 9), *rc::gen::inRange(0, 3)), 0, slot);
        double work = 0.0;
        std::vector<double> left;
        for (std::size_t n = 0; n < s.count(); ++n) {
          left.push_back(s.left(n));
          work += left.back();
        }
        const shares given = s.slot();
        for (std::size_t n = 0; n < s.count(); ++n) RC_ASSERT(given[n] <= std::ceil(left[n]));
        RC_ASSERT(std::accumulate(given.begin(), given.end(), 0.0) >= std::min<double>(cores, work) - 1e-9);
      }
    })) << v.entry->name
        << ' ' << v.choice;
}

}  // namespace
}  // namespace muster
