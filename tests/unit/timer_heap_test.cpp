#include "muster/modules/kernel/timer_heap.h"

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

/// The heap beside a model that is plain enough to be trusted.
struct heap_and_model {
  timer_heap heap;
  std::multimap<key, timer_heap::slot> model;
  std::vector<timer_heap::slot> idle;  // slots that are not pending
  timer_heap::slot slots = 0;

  timer_heap::slot idle_slot() {
    if (idle.empty()) return slots++;
    const timer_heap::slot s = idle.back();
    idle.pop_back();
    return s;
  }

  // Among timers of equal time and rank the heap may choose any.
  auto next_in_model() {
    const auto equal = model.equal_range(model.begin()->first);
    for (auto it = equal.first; it != equal.second; ++it)
      if (it->second == heap.next_slot()) return it;
    return model.end();
  }

  void push(const key& k) {
    const timer_heap::slot s = idle_slot();
    heap.push(k.first, k.second, s);
    model.emplace(k, s);
  }
  void pop() {
    const auto next = next_in_model();
    RC_ASSERT(next != model.end());
    idle.push_back(next->second);
    model.erase(next);
    heap.pop();
  }
  void replace_next(const key& k) {
    const auto next = next_in_model();
    RC_ASSERT(next != model.end());
    const timer_heap::slot same = next->second;
    model.erase(next);
    model.emplace(k, same);
    heap.replace_next(k.first, k.second);
  }
  void cancel(std::size_t which) {
    auto it = model.begin();
    std::advance(it, static_cast<std::ptrdiff_t>(which % model.size()));
    heap.cancel(it->second);
    idle.push_back(it->second);
    model.erase(it);
  }
  void compare() {
    RC_ASSERT(heap.size() == model.size());
    RC_ASSERT((heap.next_time() == timer_heap::never) == model.empty());
    if (model.empty()) return;
    RC_ASSERT(heap.next_time() == model.begin()->first.first);
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
  return rc::gen::pair(coordinate(timer_heap::never - 1), coordinate(end));
}

RC_GTEST_PROP(timer_heap, agrees_with_a_sorted_list_after_any_pushes_pops_cancels_and_replacements, ()) {
  heap_and_model both;
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

TEST(timer_heap, lets_timers_of_one_instant_expire_by_rank_whoever_armed_first) {
  timer_heap heap;
  heap.push(5, 3, 0);
  heap.push(5, 1, 1);
  heap.push(5, std::uint64_t{1} << 63, 2);
  heap.push(5, 2, 3);
  for (const timer_heap::slot expected : {1u, 3u, 0u, 2u}) {
    EXPECT_EQ(heap.next_slot(), expected);
    heap.pop();
  }
}

TEST(timer_heap, orders_by_time_before_rank) {
  timer_heap heap;
  heap.push(2, 0, 0);
  heap.push(1, std::numeric_limits<std::uint64_t>::max(), 1);
  EXPECT_EQ(heap.next_slot(), 1u);
  EXPECT_EQ(heap.next_time(), 1u);
}

TEST(timer_heap, keeps_times_up_to_the_end_of_the_range_apart) {
  timer_heap heap;
  const ticks last = std::numeric_limits<ticks>::max();
  heap.push(last, 0, 0);
  heap.push(last - 1, std::numeric_limits<std::uint64_t>::max(), 1);
  EXPECT_EQ(heap.next_time(), last - 1);
  heap.pop();
  EXPECT_EQ(heap.next_time(), last);
}

TEST(timer_heap, names_those_who_rise_some_sixty_fourteen_three_and_one_expirations_ahead) {
  constexpr timer_heap::slot timers = 2000;
  constexpr std::uint64_t expirations = 20'000;
  std::mt19937_64 bits(1);
  const auto soon = [&bits] { return static_cast<ticks>(boost::random::exponential_distribution<double>{1e-9}(bits)); };
  timer_heap heap;
  for (timer_heap::slot t = 0; t < timers; ++t) heap.push(soon(), t, t);
  std::array<std::map<timer_heap::slot, std::uint64_t>, timer_heap::top> named;  // since which expiration
  std::array<std::vector<std::uint64_t>, timer_heap::top> leads;
  for (std::uint64_t n = 0; n < expirations; ++n) {
    const auto upcoming = heap.upcoming();
    const timer_heap::slot next = heap.next_slot();
    for (std::size_t level = 0; level < timer_heap::top; ++level) {
      named[level].emplace(upcoming[level], n);
      if (const auto found = named[level].find(next); found != named[level].end()) {
        leads[level].push_back(n - found->second);
        named[level].erase(found);
      }
    }
    heap.replace_next(heap.next_time() + soon(), next);
  }
  const std::array<std::uint64_t, timer_heap::top> about{1, 3, 14, 60};
  for (std::size_t level = 0; level < timer_heap::top; ++level) {
    auto& all = leads[level];
    EXPECT_GT(all.size(), expirations * 9 / 10) << "named in time, level " << level;
    std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
    const std::uint64_t median = all[all.size() / 2];
    EXPECT_TRUE(4 * median >= 3 * about[level] && 4 * median <= 5 * about[level]) << median << ", level " << level;
  }
}

}  // namespace
}  // namespace muster
