#include "muster/modules/kernel/timer_tournament.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <boost/random/exponential_distribution.hpp>

namespace muster {
namespace {

using key = std::pair<ticks, std::uint64_t>;

/// The tournament beside a model that is plain enough to be trusted.
struct tournament_and_model {
  timer_tournament pending;
  std::multimap<key, timer_tournament::slot> model;
  std::vector<timer_tournament::slot> idle;  // slots that are not pending
  timer_tournament::slot slots = 0;

  timer_tournament::slot idle_slot() {
    if (idle.empty()) return slots++;
    const timer_tournament::slot s = idle.back();
    idle.pop_back();
    return s;
  }

  // Among timers of equal time and rank the tournament may choose any.
  auto next_in_model() {
    const auto equal = model.equal_range(model.begin()->first);
    for (auto it = equal.first; it != equal.second; ++it)
      if (it->second == pending.next_slot()) return it;
    return model.end();
  }

  void push(const key& k) {
    const timer_tournament::slot s = idle_slot();
    pending.push(k.first, k.second, s);
    model.emplace(k, s);
  }
  void pop() {
    const auto next = next_in_model();
    RC_ASSERT(next != model.end());
    idle.push_back(next->second);
    model.erase(next);
    pending.pop();
  }
  void replace_next(const key& k) {
    const auto next = next_in_model();
    RC_ASSERT(next != model.end());
    const timer_tournament::slot same = next->second;
    model.erase(next);
    model.emplace(k, same);
    pending.replace_next(k.first, k.second);
  }
  void cancel(std::size_t which) {
    auto it = model.begin();
    std::advance(it, static_cast<std::ptrdiff_t>(which % model.size()));
    pending.cancel(it->second);
    idle.push_back(it->second);
    model.erase(it);
  }
  void compare() {
    RC_ASSERT(pending.size() == model.size());
    RC_ASSERT((pending.next_time() == timer_tournament::never) == model.empty());
    if (model.empty()) return;
    RC_ASSERT(pending.next_time() == model.begin()->first.first);
    RC_ASSERT(next_in_model() != model.end());
  }
};

// Few values, so that times and ranks often tie, and the ends of both ranges.
rc::Gen<key> some_key() {
  const auto end = std::numeric_limits<std::uint64_t>::max();
  const auto coordinate = [](std::uint64_t last) {
    return rc::gen::weightedOneOf<std::uint64_t>({{8, rc::gen::inRange<std::uint64_t>(0, 12)},
                                                  {1, rc::gen::elementOf(std::vector{last, last - 1, last / 2 + 1})}});
  };
  return rc::gen::pair(coordinate(timer_tournament::never - 1), coordinate(end));
}

RC_GTEST_PROP(timer_tournament, agrees_with_a_sorted_list_after_any_pushes_pops_cancels_and_replacements, ()) {
  tournament_and_model both;
  const auto steps = *rc::gen::scale(
      4.0, rc::gen::container<std::vector<std::pair<int, key>>>(rc::gen::pair(rc::gen::inRange(0, 10), some_key())));
  const auto picks =
      *rc::gen::container<std::vector<std::size_t>>(steps.size(), rc::gen::inRange<std::size_t>(0, 1000));
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto& [step, k] = steps[i];
    if (step < 5 || both.model.empty())
      both.push(k);
    else if (step < 6)
      both.pop();
    else if (step < 8)
      both.replace_next(k);
    else
      both.cancel(picks[i]);
    both.compare();
  }
  while (!both.model.empty()) {
    both.pop();
    both.compare();
  }
}

TEST(timer_tournament, lets_timers_of_one_instant_expire_by_rank_whoever_armed_first) {
  timer_tournament pending;
  pending.push(5, 3, 0);
  pending.push(5, 1, 1);
  pending.push(5, std::uint64_t{1} << 63, 2);
  pending.push(5, 2, 3);
  for (const timer_tournament::slot expected : {1u, 3u, 0u, 2u}) {
    EXPECT_EQ(pending.next_slot(), expected);
    pending.pop();
  }
}

TEST(timer_tournament, orders_by_time_before_rank) {
  timer_tournament pending;
  pending.push(2, 0, 0);
  pending.push(1, std::numeric_limits<std::uint64_t>::max(), 1);
  EXPECT_EQ(pending.next_slot(), 1u);
  EXPECT_EQ(pending.next_time(), 1u);
}

TEST(timer_tournament, keeps_times_up_to_the_end_of_the_range_apart) {
  timer_tournament pending;
  const ticks last = std::numeric_limits<ticks>::max();
  pending.push(last, 0, 0);
  pending.push(last - 1, std::numeric_limits<std::uint64_t>::max(), 1);
  EXPECT_EQ(pending.next_time(), last - 1);
  pending.pop();
  EXPECT_EQ(pending.next_time(), last);
}

TEST(timer_tournament, names_timers_some_forty_eleven_three_and_one_expirations_before_theirs) {
  constexpr timer_tournament::slot timers = 2000;
  constexpr std::uint64_t expirations = 20'000;
  std::mt19937_64 bits(1);
  const auto soon = [&bits] { return static_cast<ticks>(boost::random::exponential_distribution<double>{1e-9}(bits)); };
  timer_tournament pending;
  for (timer_tournament::slot t = 0; t < timers; ++t) pending.push(soon(), t, t);
  std::array<std::map<timer_tournament::slot, std::uint64_t>, timer_tournament::named> named;  // at which expiration
  std::array<std::vector<std::uint64_t>, timer_tournament::named> leads;
  for (std::uint64_t n = 0; n < expirations; ++n) {
    const timer_tournament::slot next = pending.next_slot();
    for (std::size_t level = 0; level < timer_tournament::named; ++level) {
      if (const auto found = named[level].find(next); found != named[level].end()) {
        leads[level].push_back(n - found->second);
        named[level].erase(found);
      }
    }
    pending.replace_next(pending.next_time() + soon(), next);
    const auto beside = pending.soon_beside(next);
    for (std::size_t level = 0; level < timer_tournament::named; ++level) named[level].emplace(beside[level], n);
  }
  const std::array<std::uint64_t, timer_tournament::named> about{1, 3, 11, 44};
  for (std::size_t level = 0; level < timer_tournament::named; ++level) {
    auto& all = leads[level];
    EXPECT_GT(all.size(), expirations * 9 / 10) << "named in time, level " << level;
    std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
    const std::uint64_t median = all[all.size() / 2];
    EXPECT_TRUE(4 * median >= 3 * about[level] && 4 * median <= 5 * about[level]) << median << ", level " << level;
  }
}

TEST(timer_tournament, names_the_next_timer_in_place_of_those_of_parts_where_none_is_pending) {
  constexpr timer_tournament::slot timers = 128;
  timer_tournament pending;
  for (timer_tournament::slot t = 0; t < timers; ++t) pending.push(t, t, t);
  for (timer_tournament::slot t = 1; t < timers; ++t) pending.cancel(t);
  for (const timer_tournament::slot named : pending.soon_beside(timers - 1)) EXPECT_EQ(named, 0u);
}

}  // namespace
}  // namespace muster
