#include "platform/metrics/level_times.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

// Level 0 until 10, 1 until 30, 2 until 40, 1 until 100: 10, 80 and 10 of 100.
TEST(level_times, quantile_is_the_least_level_not_exceeded_for_the_share_of_the_time) {
  level_times found;
  found.rise(10);
  found.rise(30);
  found.fall(40);
  EXPECT_EQ(found.quantile(0.05, 100), 0u);
  EXPECT_EQ(found.quantile(0.10, 100), 0u);
  EXPECT_EQ(found.quantile(0.11, 100), 1u);
  EXPECT_EQ(found.quantile(0.90, 100), 1u);
  EXPECT_EQ(found.quantile(0.91, 100), 2u);
  EXPECT_EQ(found.quantile(0.60, 40), 1u) << "10, 20 and 10 of 40";
  EXPECT_EQ(found.quantile(0.95, 190), 2u) << "180 of 190 at most 1";
  EXPECT_EQ(found.quantile(0.95, 210), 1u) << "200 of 210";
}

TEST(level_times, window_begins_where_it_is_cleared_at_the_level_of_then) {
  level_times found;
  for (const ticks now : {1u, 2u, 3u}) found.rise(now);
  found.clear(50);
  found.fall(60);
  EXPECT_EQ(found.quantile(0.5, 60), 3u);
  EXPECT_EQ(found.quantile(0.5, 70), 2u);
  EXPECT_EQ(found.quantile(0.99, 70), 3u);
  EXPECT_EQ(found.quantile(0.99, 2000), 2u);
}

TEST(level_times, empty_window_has_level_0) {
  level_times found;
  EXPECT_EQ(found.quantile(0.99, 0), 0u);
  found.rise(5);
  found.clear(8);
  EXPECT_EQ(found.quantile(0.99, 8), 0u);
}

TEST(level_times, has_room_for_any_level) {
  level_times found;
  for (ticks now = 1; now <= 10'000; ++now) found.rise(now);
  EXPECT_EQ(found.quantile(0.99, 10'001), 9900u) << "levels 0 to 10,000 for one tick each";
  for (ticks now = 10'001; now <= 20'000; ++now) found.fall(now);
  EXPECT_EQ(found.quantile(0.99, 20'000), 9900u) << "each of 1 to 9,999 twice";
}

}  // namespace
}  // namespace muster
