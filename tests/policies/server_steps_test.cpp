#include <cstdint>
#include <iterator>
#include <map>
#include <random>
#include <utility>

#include <gtest/gtest.h>

#include "muster/policies/backfilling/server_steps.h"

namespace muster {
namespace {

// Held against a map, with enough steps that blocks are split and become empty.
TEST(server_steps, are_in_order_as_they_are_added_and_removed_and_time_passes) {
  std::mt19937 bits{26};
  const auto below = [&](ticks bound) { return std::uniform_int_distribution<ticks>{0, bound - 1}(bits); };
  server_steps steps;
  std::map<std::pair<ticks, std::uint32_t>, unsigned> plain;
  ticks now = 0;
  for (unsigned n = 0; n < 12'000; ++n) {
    const bool grows = n / 3'000 % 2 == 0;
    if (below(5) < (grows ? 4u : 1u) || plain.empty()) {
      const ticks at = now + 1 + below(400);
      const auto server = static_cast<std::uint32_t>(below(5));
      steps.add(at, server);
      ++plain[{at, server}];
    } else {
      auto chosen = plain.lower_bound({now + below(400), 0});
      if (chosen == plain.end()) chosen = plain.begin();
      steps.remove(chosen->first.first, chosen->first.second);
      if (--chosen->second == 0) plain.erase(chosen);
    }
    if (n % 100 == 0) {
      now += below(8);
      steps.remove_until(now, [&](std::uint32_t server) {
        ASSERT_FALSE(plain.empty());
        ASSERT_EQ(plain.begin()->first.second, server);
        plain.erase(plain.begin());
      });
      ASSERT_TRUE(plain.empty() || plain.begin()->first.first > now);
    }
    if (n % 20 != 0) continue;
    const ticks from = now + below(400);
    auto expected = plain.lower_bound({from, 0});
    auto found = steps.not_before(from);
    for (; !found.is_end(); ++found, ++expected) {
      ASSERT_NE(expected, plain.end()) << "operation " << n;
      ASSERT_EQ(std::make_pair(found->at, found->server), expected->first) << "operation " << n;
      ASSERT_EQ(found->holds, expected->second) << "operation " << n;
    }
    ASSERT_EQ(expected, plain.end()) << "operation " << n;
  }
  steps.clear();
  EXPECT_TRUE(steps.not_before(0).is_end());
}

}  // namespace
}  // namespace muster
