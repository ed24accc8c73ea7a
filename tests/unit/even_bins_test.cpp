#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "platform/simulation/even_bins.h"

// Bins of equal length over a time whose end is not known, against intervals summed up one by one.

namespace muster {
namespace {

struct counted_interval {
  ticks from, until;
  std::uint64_t amount;
};

tick_sum integral(const std::vector<counted_interval>& all, ticks begin, ticks end) {
  tick_sum sum = 0;
  for (const counted_interval& one : all) {
    const ticks from = std::max(begin, one.from), until = std::min(end, one.until);
    if (from < until) sum += tick_sum{until - from} * one.amount;
  }
  return sum;
}

TEST(even_bins, have_the_integrals_of_intervals_that_are_known_late_whatever_the_time) {
  for (const ticks longest : {ticks{40}, ticks{3'000}, ticks{1} << 40}) {
    std::mt19937_64 random{longest};
    constexpr ticks begin = 100;
    even_sums sums(8, 3);
    even_readings<int> readings(8, 3);
    sums.begin(begin);
    readings.begin(begin, 0);
    std::vector<counted_interval> all;
    ticks now = begin;
    for (std::uint64_t n = 0; n < 200; ++n) {
      now += random() % (longest / 20 + 2);
      readings.take_until(now, [](ticks) { return 0; });
      const ticks from = begin + random() % (now - begin + 1);
      sums.add(from, now, n % 5 + 1);
      all.push_back({from, now, n % 5 + 1});
    }
    const std::vector<tick_sum> found = sums.until(now);
    const auto& instants = readings.end(now, 0);
    ASSERT_EQ(found.size(), instants.size() - 1);
    EXPECT_LE(found.size(), 17u);
    EXPECT_GE(found.size(), 8u);
    const ticks step = instants[1].now - instants[0].now;
    for (std::size_t bin = 0; bin < found.size(); ++bin) {
      EXPECT_EQ(instants[bin].now, begin + bin * step);
      EXPECT_TRUE(found[bin] == integral(all, instants[bin].now, instants[bin + 1].now)) << bin;
    }
    EXPECT_EQ(instants.back().now, now);
  }
}

TEST(even_bins, take_readings_at_equal_distances_before_the_change_that_follows) {
  even_readings<int> readings(2, 10);
  int level = 0;
  readings.begin(0, level);
  const auto change = [&](ticks now) {
    readings.take_until(now, [&](ticks) { return level; });
    ++level;
  };
  for (const ticks now : {5, 12, 30, 31}) change(now);
  const auto& all = readings.end(35, level);
  std::vector<std::pair<ticks, int>> found;
  for (const auto& one : all) found.emplace_back(one.now, one.read);
  EXPECT_EQ(found, (std::vector<std::pair<ticks, int>>{{0, 0}, {10, 1}, {20, 2}, {30, 2}, {35, 4}}));
}

}  // namespace
}  // namespace muster
