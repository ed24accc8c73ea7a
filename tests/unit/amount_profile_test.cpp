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
      amounts expected;
      for (std::size_t place = 0; place < 2; ++place) {
        std::int64_t least = place == 0 ? 8 : 3;
        for (ticks t = from; t < until; ++t) {
          std::int64_t free = place == 0 ? 8 : 3;
          for (const hold& h : holds)
            if (h.from <= t && t < h.until) free -= static_cast<std::int64_t>(h.held[place]);
          least = std::min(least, free);
        }
        expected.push_back(least > 0 ? static_cast<std::uint64_t>(least) : 0);
      }
      amounts found;
      profile.least(from, until, found);
      ASSERT_EQ(found, expected) << "seed " << seed << ", operation " << n;
    }
  }
}

}  // namespace
}  // namespace muster
