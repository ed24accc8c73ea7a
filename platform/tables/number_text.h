#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace muster {

/// A number with so many significant digits, without an exponent from 0.0001 to a billion: "4373", "0.05".
std::string with_digits(double number, int digits);

/// The number with so many significant digits.
double rounded_to_digits(double value, int digits);

/// Whether an interval is so narrow that it tells of rounded sums alone: the values are the same.
bool is_rounding(double half_width, double mean);

/// "4400 +- 2600", "1.62 +- 0.012": a mean and the half-width of its interval, if it has one; the half-width with two
/// significant digits, the mean with at most `digits`, and no more decimals than the half-width.
std::string with_half_width(double mean, const std::optional<double>& ci_low, int digits = 4);

/// The text with a plus-minus sign in the place of "+-": where it is not for a terminal.
std::string with_plus_minus_sign(const std::string& text);

/// A share as a percentage with its sign: "+14 %", "-0.32 %", "+1200 %".
std::string as_percentage(double share);

/// "1 point", "2 points".
std::string counted(std::uint64_t n, const char* what);

}  // namespace muster
