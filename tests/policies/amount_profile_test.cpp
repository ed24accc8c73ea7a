#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "muster/policies/algorithms/amount_profile.h"
#include "muster/policies/resources.h"
#include "muster/policies/ticks.h"

namespace muster {
namespace {

TEST(amount_profile, is_what_is_free_in_each_place_at_each_instant) {
  constexpr ticks instants = 80;
  for (unsigned seed = 0; seed < 30; ++seed) {
    std::mt19937 bits{seed};
    const auto below = [&](ticks bound) { return std::uniform_int_distribution<ticks>{0, bound - 1}(bits); };
    struct hold {
      ticks from, until;
      amounts held;
    };
    amount_profile profile({8, 3});
    std::vector<hold> holds;
    ticks now = 0;
    for (unsigned n = 0; n < 120; ++n) {
      if (below(5) < 3 || holds.empty()) {
        const ticks from = now + below(instants - now), until = from + 1 + below(20);
        holds.push_back({from, until < instants ? until : end_of_clock, {below(4), below(2)}});
        profile.hold(from, holds.back().until, holds.back().held);
      } else {
        const auto chosen = holds.begin() + static_cast<std::ptrdiff_t>(below(holds.size()));
        profile.release(std::max(now, chosen->from), chosen->until, chosen->held);
        holds.erase(chosen);
      }
      if (now + 3 < instants) profile.advance(now += below(3));
      const ticks from = now + below(instants - now), until = from + 1 + below(15);
      const auto free_at = [&](ticks t, std::size_t place) {
        std::int64_t free = place == 0 ? 8 : 3;
        for (const hold& h : holds)
          if (h.from <= t && t < h.until) free -= static_cast<std::int64_t>(h.held[place]);
        return free > 0 ? static_cast<std::uint64_t>(free) : 0;
      };
      amounts expected{8, 3};
      for (std::size_t place = 0; place < 2; ++place)
        for (ticks t = from; t < until; ++t) expected[place] = std::min(expected[place], free_at(t, place));
      amounts found;
      profile.least(from, until, found);
      ASSERT_EQ(found, expected) << "seed " << seed << ", operation " << n;
      const auto least_from = [&](ticks begin) {
        amounts least{8, 3};
        for (std::size_t place = 0; place < 2; ++place)
          for (ticks t = begin; t < until; ++t) least[place] = std::min(least[place], free_at(t, place));
        return least;
      };
      ticks behind = until;  // from here on the least is known
      profile.least_from_each(from, until, found, [&](ticks end) {
        if (end < until) {
          EXPECT_EQ(least_from(end), behind < until ? least_from(behind) : least_from(end));
          EXPECT_EQ(found, least_from(end - 1)) << "seed " << seed << ", operation " << n;
        }
        behind = std::min(end, until) - 1;
        return true;
      });
      ASSERT_EQ(found, expected) << "seed " << seed << ", operation " << n;
      ASSERT_EQ(found, least_from(std::max(from, behind))) << "seed " << seed << ", operation " << n;
      const amounts each{below(4), below(2)};
      const auto times_at = [&](ticks t) {
        std::uint64_t times = 2;
        for (std::size_t place = 0; place < 2; ++place)
          if (each[place] > 0) times = std::min(times, free_at(t, place) / each[place]);
        return times;
      };
      std::uint64_t times = 2;
      ticks limits = end_of_clock;  // the last instant of the fewest times
      for (ticks t = from; t < until; ++t)
        if (times_at(t) <= times && times_at(t) < 2) {
          times = times_at(t);
          limits = t;
        }
      const auto at_once = profile.times_at_once(from, until, each, 2);
      ASSERT_EQ(at_once.times, times) << "seed " << seed << ", operation " << n;
      if (limits == end_of_clock)
        ASSERT_EQ(at_once.until, amount_profile::never) << "seed " << seed << ", operation " << n;
      else
        ASSERT_EQ(std::min(at_once.until, until), limits + 1) << "seed " << seed << ", operation " << n;
    }
    profile.release_all({5, 1}, now);
    amounts found;
    profile.least(now, end_of_clock, found);
    ASSERT_EQ(found, (amounts{5, 1}));
  }
}

}  // namespace
}  // namespace muster
