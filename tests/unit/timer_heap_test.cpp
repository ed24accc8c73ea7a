#include "modules/timer_heap.h"

#include <limits>
#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

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
  void replace_next(const key& k, bool by_itself) {
    const auto next = next_in_model();
    RC_ASSERT(next != model.end());
    const timer_heap::slot old = next->second;
    const timer_heap::slot s = by_itself ? old : idle_slot();
    if (!by_itself) idle.push_back(old);
    model.erase(next);
    model.emplace(k, s);
    heap.replace_next(k.first, k.second, s);
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
    RC_ASSERT(heap.empty() == model.empty());
    if (model.empty()) return;
    RC_ASSERT(heap.next_time() == model.begin()->first.first);
    RC_ASSERT(next_in_model() != model.end());
  }
};

// Few values, so that times and ranks often tie, and the ends of both ranges.
rc::Gen<key> some_key() {
  const auto end = std::numeric_limits<std::uint64_t>::max();
  const auto coordinate = rc::gen::weightedOneOf<std::uint64_t>(
      {{8, rc::gen::inRange<std::uint64_t>(0, 12)}, {1, rc::gen::elementOf(std::vector{end, end - 1, end / 2 + 1})}});
  return rc::gen::pair(coordinate, coordinate);
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
      both.replace_next(k, step == 6);
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

}  // namespace
}  // namespace muster
