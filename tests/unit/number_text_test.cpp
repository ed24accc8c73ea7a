#include "platform/tables/number_text.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

TEST(numbers_in_text, have_no_exponent_where_a_reader_needs_none) {
  EXPECT_EQ(with_digits(4373.4, 4), "4373");
  EXPECT_EQ(with_digits(43734.0, 4), "43730");
  EXPECT_EQ(with_digits(0.05, 4), "0.05");
  EXPECT_EQ(with_digits(0.00012345, 4), "0.0001234");
  EXPECT_EQ(with_digits(9.99996, 4), "10");
  EXPECT_EQ(with_digits(0.0, 4), "0");
  EXPECT_EQ(with_digits(-1.5, 4), "-1.5");
  EXPECT_EQ(with_digits(1.25e-7, 4), "1.25e-07");
  EXPECT_EQ(with_digits(1e12, 4), "1e+12");
}

TEST(numbers_in_text, have_no_more_decimals_than_their_half_width) {
  EXPECT_EQ(with_half_width(4373.0, 1773.0), "4400 +- 2600");
  EXPECT_EQ(with_plus_minus_sign("4400 +- 2600 and 1 +- 0.5"), "4400 ± 2600 and 1 ± 0.5");
  EXPECT_EQ(with_half_width(1.6204, 1.6084), "1.620 +- 0.012");
  EXPECT_EQ(with_half_width(35.97, 35.58), "35.97 +- 0.39");
  EXPECT_EQ(with_half_width(0.0429, 0.0349), "0.0429 +- 0.0080");
  EXPECT_EQ(with_half_width(99.6, 89.62), "100 +- 10");
  EXPECT_EQ(with_half_width(-3.0, -3.25), "-3.00 +- 0.25");
  EXPECT_EQ(with_half_width(12.3456, {}), "12.35");
}

TEST(numbers_in_text, have_few_digits_even_where_the_interval_is_very_narrow) {
  EXPECT_EQ(with_half_width(100.12345, 100.12225), "100.1 +- 0.0012");
  EXPECT_EQ(with_half_width(2.0, 2.0), "2 +- 0");
}

TEST(numbers_in_text, have_no_half_width_that_is_that_of_rounded_sums) {
  EXPECT_EQ(with_half_width(94.9, 94.9 - 1.4e-14), "94.9 +- 0");
}

TEST(numbers_in_text, are_percentages_with_a_sign) {
  EXPECT_EQ(as_percentage(0.144), "+14 %");
  EXPECT_EQ(as_percentage(-0.0032), "-0.32 %");
  EXPECT_EQ(as_percentage(12.34), "+1200 %");
  EXPECT_EQ(as_percentage(0.0), "+0 %");
  EXPECT_EQ(as_percentage(-0.0), "+0 %");
}

}  // namespace
}  // namespace muster
