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

/// "4400 +- 2600", "71000 (0 .. 203000)": a mean and its interval, if it has one. Where the two halves of the interval
/// differ by at most a tenth, the longer one stands behind "+-", with two significant digits; else both ends stand
/// there, with the decimals of the shorter half. The mean has at most `digits` digits, and no more decimals than these.
std::string with_interval(double mean, const std::optional<double>& ci_low, const std::optional<double>& ci_high,
                          int digits = 4);

/// The text with a plus-minus sign in the place of "+-": where it is not for a terminal.
std::string with_plus_minus_sign(const std::string& text);

/// A share as a percentage with its sign: "+14 %", "-0.32 %", "+1200 %".
std::string as_percentage(double share);

/// "1 point", "2 points".
std::string counted(std::uint64_t n, const char* what);

}  // namespace muster
