#include "platform/tables/number_text.h"

#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace muster {
namespace {

// A mean with an interval whose halves are equal.
std::string symmetric(double mean, const std::optional<double>& low) {
  return with_interval(mean, low, low ? std::optional(2.0 * mean - *low) : std::nullopt);
}

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

TEST(numbers_in_text, rounded_to_digits_are_the_numbers_whose_digits_are_written) {
  EXPECT_EQ(rounded_to_digits(4373.4, 3), 4370.0);
  EXPECT_EQ(rounded_to_digits(-0.0099996, 4), -0.01);
  EXPECT_EQ(rounded_to_digits(2.5, 1), 2.0);  // ties to even
  EXPECT_EQ(rounded_to_digits(0.0, 4), 0.0);
  EXPECT_EQ(rounded_to_digits(std::numeric_limits<double>::infinity(), 4), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(rounded_to_digits(std::numeric_limits<double>::quiet_NaN(), 4)));
  double number = 1.2345678901234567e-300;
  for (int n = 0; n < 900; ++n, number *= -4.1)
    for (const int digits : {1, 4, 8, 17})
      EXPECT_EQ(rounded_to_digits(number, digits), std::stod(fmt::format("{:.{}g}", number, digits)));
}

TEST(numbers_in_text, have_no_more_decimals_than_their_half_width) {
  EXPECT_EQ(symmetric(4373.0, 1773.0), "4400 +- 2600");
  EXPECT_EQ(with_plus_minus_sign("4400 +- 2600 and 1 +- 0.5"), "4400 ± 2600 and 1 ± 0.5");
  EXPECT_EQ(symmetric(1.6204, 1.6084), "1.620 +- 0.012");
  EXPECT_EQ(symmetric(35.97, 35.58), "35.97 +- 0.39");
  EXPECT_EQ(symmetric(0.0429, 0.0349), "0.0429 +- 0.0080");
  EXPECT_EQ(symmetric(99.6, 89.62), "100 +- 10");
  EXPECT_EQ(symmetric(-3.0, -3.25), "-3.00 +- 0.25");
  EXPECT_EQ(symmetric(12.3456, {}), "12.35");
}

TEST(numbers_in_text, have_few_digits_even_where_the_interval_is_very_narrow) {
  EXPECT_EQ(symmetric(100.12345, 100.12225), "100.1 +- 0.0012");
  EXPECT_EQ(symmetric(2.0, 2.0), "2 +- 0");
}

TEST(numbers_in_text, have_no_half_width_that_is_that_of_rounded_sums) {
  EXPECT_EQ(symmetric(94.9, 94.9 - 1.4e-14), "94.9 +- 0");
}

TEST(numbers_in_text, have_the_ends_of_an_interval_whose_halves_differ_by_more_than_a_tenth) {
  EXPECT_EQ(with_interval(71000.0, 0.0, 202719.0), "71000 (0 .. 203000)");
  EXPECT_EQ(with_interval(1.62, 1.61, 1.65), "1.620 (1.610 .. 1.650)");
  EXPECT_EQ(with_interval(-47.8, -50.94, -45.3), "-47.8 (-50.9 .. -45.3)");
  EXPECT_EQ(with_interval(10.0, 8.0, 12.1), "10.0 +- 2.1");  // the longer half
  EXPECT_EQ(with_interval(10.0, 8.0, 12.3), "10.0 (8.0 .. 12.3)");
  EXPECT_EQ(with_interval(0.0, 0.0, 0.13), "0.00 (0.00 .. 0.13)");  // clipped at the mean
  EXPECT_EQ(with_interval(3.0, 3.0 - 1e-15, 3.14), "3.00 (3.00 .. 3.14)");
  EXPECT_EQ(with_interval(1e-7, 0.0, 5e-7), "1e-07 (0 .. 5e-07)");
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
