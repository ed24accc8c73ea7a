#include <gtest/gtest.h>

#include "muster/policies/governor.h"

// Frequencies of cores, what they draw, and what governors choose.

namespace muster {
namespace {

const frequency_table three{{{2e9, 9.0, 1.0}, {1e9, 3.0, 0.5}, {4e9, 41.0, 1.5}}, 1.0};

TEST(frequency_table, has_its_rows_by_speed) {
  EXPECT_EQ(three[0].hertz, 1e9);
  EXPECT_EQ(three[1].hertz, 2e9);
  EXPECT_EQ(three[three.fastest()].hertz, 4e9);
}

TEST(frequency_table, finds_the_lowest_row_that_is_fast_enough_else_the_fastest) {
  EXPECT_EQ(three.row_of_speed(0.0), 0u);
  EXPECT_EQ(three.row_of_speed(0.5), 0u);
  EXPECT_EQ(three.row_of_speed(0.51), 1u);
  EXPECT_EQ(three.row_of_speed(1.5), 2u);
  EXPECT_EQ(three.row_of_speed(9.0), 2u);
}

// Above 1 W of an idle core the rows draw 2, 8 and 40 W.
TEST(frequency_table, draws_the_watts_of_a_row_and_what_lies_between_in_proportion) {
  EXPECT_DOUBLE_EQ(40.0 * three.relative_watts(0.5), 2.0);
  EXPECT_DOUBLE_EQ(40.0 * three.relative_watts(1.0), 8.0);
  EXPECT_EQ(three.relative_watts(1.5), 1.0);
  EXPECT_DOUBLE_EQ(40.0 * three.relative_watts(0.75), 5.0);
  EXPECT_DOUBLE_EQ(40.0 * three.relative_watts(0.25), 1.0);
  EXPECT_DOUBLE_EQ(40.0 * three.relative_watts(3.0), 80.0);
}

const governor_entry& governor(std::string_view name) {
  for (const governor_entry* g : governor_catalogue())
    if (g->name == name) return *g;
  throw std::logic_error("no such governor");
}

TEST(governors, that_are_always_alike_choose_the_fastest_the_slowest_or_the_named_row) {
  for (const std::uint32_t busy : {0u, 2u, 4u}) {
    const governed_server server{three, 4, busy, 1};
    EXPECT_EQ(governor("race_to_idle").choose(server), 2u);
    EXPECT_EQ(governor("slow_down").choose(server), 0u);
    EXPECT_EQ(governor("fixed").choose(server), 1u);
  }
}

// Four cores: 0.375 of the greatest speed for each that is busy.
TEST(governors, on_demand_chooses_the_least_speed_that_is_the_share_of_busy_cores_of_the_greatest) {
  const auto row = [](std::uint32_t busy) { return governor("on_demand").choose({three, 4, busy, 0}); };
  EXPECT_EQ(row(0), 0u);
  EXPECT_EQ(row(1), 0u);
  EXPECT_EQ(row(2), 1u);
  EXPECT_EQ(row(3), 2u);
  EXPECT_EQ(row(4), 2u);
}

// 1.2 * 7 / 10 is above 0.84 in doubles.
TEST(governors, on_demand_takes_a_row_that_is_just_fast_enough) {
  const frequency_table two({{1e9, 1.0, 0.84}, {2e9, 2.0, 1.2}}, 0.0);
  EXPECT_EQ(governor("on_demand").choose({two, 10, 7, 0}), 0u);
  EXPECT_EQ(governor("on_demand").choose({two, 10, 8, 0}), 1u);
}

}  // namespace
}  // namespace muster
