#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "muster/policies/backfilling/given_back.h"

// What a plan remembers of searches that found nothing earlier, and how long it holds.

namespace muster {
namespace {

using intervals = std::vector<std::pair<ticks, ticks>>;

intervals listed(const possible_begins& begins) {
  intervals all;
  for (const auto [from, until] : begins) all.emplace_back(from, until);
  return all;
}

intervals begins_since(const given_back& back, std::uint64_t moment, ticks duration) {
  possible_begins found;
  back.begins_since(moment, duration, found);
  return listed(found);
}

intervals known_begins(earliest_known& known, const given_back& back, ticks duration, ticks now = 0) {
  possible_begins found;
  known.find_begins(duration, back, now, found);
  return listed(found);
}

TEST(possible_begins, are_joined_where_they_meet_and_are_those_of_both_where_they_are_limited) {
  possible_begins all, others;
  all.add(30, 40);
  all.add(10, 20);
  all.add(50, 60);
  all.add(70, 70);
  EXPECT_EQ(listed(all), (intervals{{10, 20}, {30, 40}, {50, 60}}));
  all.add(20, 25);
  all.add(35, 50);
  EXPECT_EQ(listed(all), (intervals{{10, 25}, {30, 60}}));
  EXPECT_TRUE(all.covers(30, 60) && all.contains(24));
  EXPECT_FALSE(all.covers(10, 26) || all.contains(25) || all.contains(29) || all.contains(60));
  others.add(0, 12);
  others.add(24, 31);
  others.add(58, 90);
  all.limit(others);
  EXPECT_EQ(listed(all), (intervals{{10, 12}, {24, 25}, {30, 31}, {58, 60}}));
  all.limit(11, 30);
  EXPECT_EQ(listed(all), (intervals{{11, 12}, {24, 25}}));
}

// A job that takes 5 overlaps [30, 40) if it begins at 26 or later, and before 40.
TEST(given_back, tells_when_a_job_would_use_what_was_given_back_since_a_moment) {
  given_back back;
  const std::uint64_t begin = back.count();
  EXPECT_EQ(begins_since(back, begin, 5), intervals{});
  back.note(30, 40);
  const std::uint64_t after_first = back.count();
  back.note(2, 10);
  const std::uint64_t after_second = back.count();
  EXPECT_EQ(begins_since(back, begin, 5), (intervals{{0, 10}, {26, 40}}));
  EXPECT_EQ(begins_since(back, after_first, 2), (intervals{{1, 10}}));
  EXPECT_EQ(begins_since(back, after_second, 5), intervals{});
  back.note(0, 35);  // the second one is within
  EXPECT_EQ(begins_since(back, begin, 1), (intervals{{0, 40}}));
  EXPECT_EQ(begins_since(back, after_second, 1), (intervals{{0, 35}}));
}

// What was given back first may be told with what lies between, and is never forgotten.
TEST(given_back, tells_all_of_a_hundred_parts_and_the_latest_alone) {
  given_back back;
  const std::uint64_t begin = back.count();
  for (ticks n = 0; n < 100; ++n) back.note(1000 - 10 * n, 1005 - 10 * n);
  possible_begins found;
  back.begins_since(begin, 1, found);
  for (ticks n = 0; n < 100; ++n) EXPECT_TRUE(found.covers(1000 - 10 * n, 1005 - 10 * n)) << n;
  EXPECT_EQ(begins_since(back, back.count() - 2, 1), (intervals{{10, 15}, {20, 25}}));
}

TEST(earliest_known, holds_for_jobs_that_take_no_less_time) {
  given_back back;
  earliest_known known;
  known.note(5, 40, back.count());
  known.note(9, 60, back.count());
  EXPECT_EQ(known_begins(known, back, 4), (intervals{{0, end_of_clock}}));
  EXPECT_EQ(known_begins(known, back, 5), (intervals{{40, end_of_clock}}));
  EXPECT_EQ(known_begins(known, back, 8), (intervals{{40, end_of_clock}}));
  EXPECT_EQ(known_begins(known, back, 9), (intervals{{60, end_of_clock}}));
  known.note(7, 70, back.count());  // longer jobs fit no earlier
  EXPECT_EQ(known_begins(known, back, 9), (intervals{{70, end_of_clock}}));
}

TEST(earliest_known, holds_where_a_job_uses_nothing_that_was_given_back) {
  given_back back;
  earliest_known known;
  known.note(5, 40, back.count());
  back.note(20, 25);
  EXPECT_EQ(known_begins(known, back, 5), (intervals{{16, 25}, {40, end_of_clock}}));
  EXPECT_EQ(known_begins(known, back, 5, 18), (intervals{{18, 25}, {40, end_of_clock}}));
  EXPECT_EQ(known_begins(known, back, 5, 30), (intervals{{40, end_of_clock}}));
  back.note(0, 40);
  EXPECT_EQ(known_begins(known, back, 5), (intervals{{0, end_of_clock}}));
}

}  // namespace
}  // namespace muster
