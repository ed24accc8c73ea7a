#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "muster/policies/algorithms/availability_profile.h"
#include "muster/policies/ticks.h"

namespace muster {
namespace {

/// What is free at each of the first instants, behind which it stays the same.
class free_by_instant {
 public:
  explicit free_by_instant(ticks instants) : free_(instants, 10) {}

  ticks size() const { return free_.size(); }
  void add(ticks from, ticks until, std::int64_t amount) {
    for (ticks t = from; t < std::min(until, size()); ++t) free_[t] += amount;
  }
  std::int64_t at(ticks t) const { return free_[std::min(t, size() - 1)]; }
  ticks first_below(ticks from, std::int64_t amount) const {
    for (ticks t = from; t < size(); ++t)
      if (free_[t] < amount) return t;
    return end_of_clock;
  }
  ticks earliest_before(ticks bound, ticks from, ticks duration, std::int64_t amount) const {
    for (ticks s = from; s < std::min(bound, size()); ++s)
      if (fits(s, std::min(s + duration, bound), amount)) return s;
    return bound;
  }
  std::size_t steps(ticks now) const {
    std::size_t count = 1;
    for (ticks t = now + 1; t < size(); ++t) count += free_[t] != free_[t - 1] ? 1 : 0;
    return count;
  }

 private:
  bool fits(ticks from, ticks until, std::int64_t amount) const {
    for (ticks t = from; t < until && t < size(); ++t)
      if (free_[t] < amount) return false;
    return true;
  }
  std::vector<std::int64_t> free_;
};

struct hold {
  ticks from, until;
  std::int64_t amount;
};

// Random holds, releases, changes and advances; after each the profile is compared at all instants.
void compare_at_random(unsigned seed, ticks instants, unsigned operations) {
  std::mt19937 bits{seed};
  const auto below = [&](ticks bound) { return std::uniform_int_distribution<ticks>{0, bound - 1}(bits); };
  const auto amount = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>{low, high}(bits);
  };
  availability_profile profile(10);
  free_by_instant naive(instants);
  std::vector<hold> holds;
  ticks now = 0;
  for (unsigned n = 0; n < operations; ++n) {
    const ticks kind = below(10);
    if (kind < 5) {
      const ticks from = now + below(instants - now), until = from + 1 + below(30);
      holds.push_back({from, until >= instants ? end_of_clock : until, amount(1, 4)});
      profile.hold(from, holds.back().until, holds.back().amount);
      naive.add(from, until, -holds.back().amount);
    } else if (kind < 8 && !holds.empty()) {
      const auto chosen = holds.begin() + static_cast<std::ptrdiff_t>(below(holds.size()));
      profile.release(std::max(chosen->from, now), chosen->until, chosen->amount);
      naive.add(std::max(chosen->from, now), chosen->until, chosen->amount);
      holds.erase(chosen);
    } else if (kind == 8 && now + 3 < instants) {
      now += below(3);
      profile.advance(now);
    } else {
      const std::int64_t by = amount(-1, 1);
      profile.change(by);
      naive.add(0, instants, by);
    }
    for (ticks t = now; t < instants; ++t) ASSERT_EQ(profile.free(t), naive.at(t)) << seed << ' ' << n << ' ' << t;
    ASSERT_EQ(profile.steps(), naive.steps(now)) << seed << ' ' << n;
    const ticks from = now + below(instants - now), duration = 1 + below(20);
    const ticks bound = below(2) > 0 ? end_of_clock : from + below(instants - from);
    const std::int64_t needed = amount(-2, 12);
    ASSERT_EQ(profile.first_below(from, needed), naive.first_below(from, needed)) << seed << ' ' << n;
    ASSERT_EQ(profile.earliest_before(bound, from, duration, needed),
              naive.earliest_before(bound, from, duration, needed))
        << seed << ' ' << n;
  }
}

TEST(availability_profile, is_what_is_free_at_each_instant) {
  for (unsigned seed = 0; seed < 40; ++seed) compare_at_random(seed, 120, 150);
}

TEST(availability_profile, of_many_steps_is_what_is_free_at_each_instant) {
  for (unsigned seed = 0; seed < 2; ++seed) compare_at_random(100 + seed, 900, 600);
}

TEST(availability_profile, finds_the_first_gap_that_is_long_enough) {
  availability_profile profile(4);
  profile.hold(0, 10, 3);
  profile.hold(12, 20, 2);
  EXPECT_EQ(profile.earliest(0, 5, 1), 0u);
  EXPECT_EQ(profile.earliest(0, 5, 2), 10u);
  EXPECT_EQ(profile.earliest(0, 2, 3), 10u);
  EXPECT_EQ(profile.earliest(0, 3, 3), 20u);
  EXPECT_EQ(profile.earliest(0, 1, 5), end_of_clock);
}

}  // namespace
}  // namespace muster
