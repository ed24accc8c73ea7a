#include <gtest/gtest.h>

#include "muster/policies/backfilling/given_back.h"

// What a plan remembers of searches that found nothing earlier, and how long it holds.

namespace muster {
namespace {

TEST(given_back, tells_the_latest_end_of_what_was_given_back_since_a_moment) {
  given_back back;
  const std::uint64_t begin = back.count();
  EXPECT_EQ(back.until_since(begin), 0u);
  back.note(30);
  const std::uint64_t after_30 = back.count();
  back.note(10);
  const std::uint64_t after_10 = back.count();
  EXPECT_EQ(back.until_since(begin), 30u);
  EXPECT_EQ(back.until_since(after_30), 10u);
  EXPECT_EQ(back.until_since(after_10), 0u);
  back.note(20);
  EXPECT_EQ(back.until_since(begin), 30u);
  EXPECT_EQ(back.until_since(after_30), 20u);
  EXPECT_EQ(back.until_since(after_10), 20u);
}

TEST(earliest_known, holds_for_jobs_that_take_no_less_time) {
  given_back back;
  earliest_known known;
  known.note(5, 40, back.count());
  known.note(9, 60, back.count());
  EXPECT_EQ(known.of(4, back).until, 0u);
  EXPECT_EQ(known.of(5, back).until, 40u);
  EXPECT_EQ(known.of(8, back).until, 40u);
  EXPECT_EQ(known.of(9, back).until, 60u);
  known.note(7, 70, back.count());  // longer jobs fit no earlier
  EXPECT_EQ(known.of(9, back).until, 70u);
}

TEST(earliest_known, holds_only_behind_the_end_of_what_was_given_back) {
  given_back back;
  earliest_known known;
  known.note(5, 40, back.count());
  back.note(25);
  EXPECT_EQ(known.of(5, back).from, 25u);
  EXPECT_EQ(known.of(5, back).until, 40u);
  back.note(40);
  EXPECT_EQ(known.of(5, back).until, 0u);
}

// The job itself is in the way of others from 30 on; one that takes 8 is clear of it up to 22.
TEST(earliest_known, holds_for_a_job_that_has_a_reservation_where_it_would_end_before_that) {
  const earliest_known::gap gap{10, 40};
  EXPECT_EQ(gap.until_at_most(30, 8).from, 10u);
  EXPECT_EQ(gap.until_at_most(30, 8).until, 23u);
  EXPECT_EQ(gap.until_at_most(30, 20).until, 11u);
  EXPECT_EQ(gap.until_at_most(30, 21).until, 0u);
  EXPECT_EQ(gap.until_at_most(7, 8).until, 0u);
}

}  // namespace
}  // namespace muster
