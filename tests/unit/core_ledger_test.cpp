#include "muster/modules/server/core_ledger.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace muster {
namespace {

/// Times up to the core's latest change of holder.
core_times settled(const core_ledger& ledger, core_ledger::core c) {
  return ledger.idle_until(c, ledger.idle_since(c));
}

/// The ledger beside a model that books every core by itself, span by span.
struct ledger_and_model {
  struct slice {
    std::uint32_t server;
    core_ledger::chain cores;
    core_ledger::tenure held;
    std::vector<core_ledger::core> members;
  };

  ledger_and_model(std::uint32_t servers, std::uint32_t each)
      : cores_each(each), ledger(servers, each), times(ledger.core_count()), idle_since(ledger.core_count()) {}

  bool holds(core_ledger::core c) const { return ledger.holder(c) != core_ledger::no_holder; }

  void begin(std::uint32_t server, std::uint32_t count, ticks overhead, bool known_when_productive) {
    const std::uint32_t name = next_name++;
    slice s{server, {}, {now, known_when_productive ? now + overhead : core_ledger::tenure::never}, {}};
    std::vector<bool> held_before;
    for (core_ledger::core c = 0; c < ledger.core_count(); ++c) held_before.push_back(holds(c));
    s.cores = ledger.take(server, count, name);
    for (core_ledger::core c = 0; c < ledger.core_count(); ++c) {
      if (ledger.holder(c) != name) continue;
      RC_ASSERT(!held_before[c]);
      RC_ASSERT(c / cores_each == server);
      times[c].idle += now - idle_since[c];
      s.members.push_back(c);
    }
    RC_ASSERT(s.members.size() == count);
    slices.emplace(name, s);
  }

  void end(std::uint32_t name) {
    const slice s = slices.at(name);
    slices.erase(name);
    ledger.give_back(s.server, s.cores, s.held, now);
    for (const core_ledger::core c : s.members) {
      RC_ASSERT(!holds(c));
      const ticks productive = s.held.productive < now ? s.held.productive : now;
      times[c].overhead += productive - s.held.begun;
      times[c].running += now - productive;
      idle_since[c] = now;
      RC_ASSERT(ledger.idle_since(c) == now);
      RC_ASSERT(settled(ledger, c).idle == times[c].idle);
      RC_ASSERT(settled(ledger, c).overhead == times[c].overhead);
      RC_ASSERT(settled(ledger, c).running == times[c].running);
    }
  }

  void compare() const {
    std::vector<std::uint32_t> idle(ledger.core_count() / cores_each);
    for (core_ledger::core c = 0; c < ledger.core_count(); ++c) {
      idle[c / cores_each] += holds(c) ? 0 : 1;
      // All of an idle core's time is accounted for, to the tick.
      if (!holds(c)) RC_ASSERT(settled(ledger, c).total() + (now - ledger.idle_since(c)) == now);
    }
    for (std::uint32_t s = 0; s < idle.size(); ++s) RC_ASSERT(ledger.idle_cores(s) == idle[s]);
    for (const auto& [name, s] : slices)
      for (const core_ledger::core c : s.members) RC_ASSERT(ledger.holder(c) == name);
  }

  std::uint32_t cores_each;
  core_ledger ledger;
  ticks now = 0;
  std::uint32_t next_name = 0;
  std::map<std::uint32_t, slice> slices;
  std::vector<core_times> times;
  std::vector<ticks> idle_since;
};

RC_GTEST_PROP(core_ledger, agrees_with_core_by_core_accounts_and_every_cores_times_add_up_to_the_clock, ()) {
  const auto servers = *rc::gen::inRange<std::uint32_t>(1, 5);
  const auto cores_each = *rc::gen::inRange<std::uint32_t>(1, 13);  // from 8 on servers are held as a whole, too
  ledger_and_model both(servers, cores_each);
  using step = std::tuple<bool, std::uint16_t, std::uint8_t>;
  const auto steps = *rc::gen::scale(2.0, rc::gen::arbitrary<std::vector<step>>());
  for (const auto& [begins, pick, small] : steps) {
    both.now += small % 4;
    const std::uint32_t server = pick % servers;
    const std::uint32_t idle = both.ledger.idle_cores(server);
    if (begins && idle > 0) {
      both.begin(server, pick % 5 == 0 ? idle : 1 + (pick / 7u) % idle, small % 5, small % 3 != 0);
    } else if (!both.slices.empty()) {
      auto it = both.slices.begin();
      std::advance(it, pick % both.slices.size());
      both.end(it->first);
    }
    both.compare();
  }
  while (!both.slices.empty()) {
    both.now += 3;
    both.end(both.slices.begin()->first);
    both.compare();
  }
  for (std::uint32_t s = 0; s < servers; ++s) RC_ASSERT(both.ledger.idle_cores(s) == cores_each);
}

TEST(core_ledger, counts_a_slice_that_never_became_productive_as_overhead) {
  core_ledger ledger(1, 2);
  const auto cores = ledger.take(0, 2, 7);
  ledger.give_back(0, cores, {10, core_ledger::tenure::never}, 15);
  for (const core_ledger::core c : {0u, 1u}) {
    EXPECT_EQ(settled(ledger, c).idle, 10u);
    EXPECT_EQ(settled(ledger, c).overhead, 5u);
    EXPECT_EQ(settled(ledger, c).running, 0u);
  }
}

TEST(core_ledger, counts_the_overhead_of_a_slice_that_ended_before_it_would_have_been_productive_only_up_to_its_end) {
  core_ledger ledger(1, 1);
  const auto cores = ledger.take(0, 1, 7);
  ledger.give_back(0, cores, {0, 100}, 15);
  EXPECT_EQ(settled(ledger, 0).overhead, 15u);
  EXPECT_EQ(settled(ledger, 0).running, 0u);
}

TEST(core_ledger, a_server_that_is_down_as_a_whole_is_neither_idle_nor_at_work_until_it_comes_back) {
  for (const std::uint32_t each : {4u, 8u}) {
    core_ledger ledger(2, each);
    ledger.give_back(1, ledger.take(1, 2, 7), {10, 10}, 15);
    const auto cores = ledger.take(1, each, 8);
    EXPECT_EQ(cores.length, each);
    for (core_ledger::core c = each; c < 2 * each; ++c) EXPECT_EQ(ledger.holder(c), 8u);
    ledger.put_back(1, cores, 20, 30);
    core_times all;
    for (core_ledger::core c = each; c < 2 * each; ++c) {
      EXPECT_EQ(ledger.holder(c), core_ledger::no_holder);
      EXPECT_EQ(ledger.idle_since(c), 30u);
      all.idle += ledger.idle_until(c, 40).idle;
      all.running += ledger.idle_until(c, 40).running;
    }
    EXPECT_EQ(all.idle, each * 30 - 2 * 5) << each;
    EXPECT_EQ(all.running, 2 * 5u) << each;
    ledger.give_back(1, ledger.take(1, 3, 9), {40, 40}, 41);
    EXPECT_EQ(ledger.idle_cores(1), each);
    EXPECT_EQ(ledger.idle_cores(0), each);
  }
}

TEST(core_ledger, hands_a_whole_server_to_one_slice_and_takes_it_back) {
  core_ledger ledger(3, 4);
  const auto cores = ledger.take(1, 4, 9);
  EXPECT_EQ(ledger.idle_cores(1), 0u);
  EXPECT_EQ(ledger.idle_cores(0), 4u);
  for (core_ledger::core c = 0; c < 12; ++c) EXPECT_EQ(ledger.holder(c), c / 4 == 1 ? 9u : core_ledger::no_holder);
  ledger.give_back(1, cores, {0, 0}, 6);
  EXPECT_EQ(ledger.idle_cores(1), 4u);
  const auto again = ledger.take(1, 3, 10);
  EXPECT_EQ(again.length, 3u);
  EXPECT_EQ(ledger.idle_cores(1), 1u);
}

}  // namespace
}  // namespace muster
