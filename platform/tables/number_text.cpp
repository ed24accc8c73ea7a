#include "platform/tables/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

#include <fmt/format.h>
#include <boost/algorithm/string/replace.hpp>

namespace muster {

namespace {

/// Decimals with which a number has so many significant digits; fewer than none: of a whole number, how many of its
/// last digits are zero.
int decimals_of(double number, int digits) {
  // The number counts as it is rounded: 9.96 has two digits as 10.
  const std::string rounded = fmt::format("{:.{}e}", number, digits - 1);
  return digits - 1 - std::stoi(rounded.substr(rounded.find('e') + 1));
}

bool has_plain_form(double number) { return number == 0.0 || (std::abs(number) >= 1e-4 && std::abs(number) < 1e9); }

constexpr double most_unseen = 0.01;  // share of the longer half below which the shorter one has no digits of its own

std::string fixed(double number, int decimals) {
  if (decimals >= 0) return fmt::format("{:.{}f}", number, decimals);
  const double unit = std::pow(10.0, -decimals);
  return fmt::format("{:.0f}", std::round(number / unit) * unit);
}

}  // namespace

std::string with_digits(double number, int digits) {
  if (!std::isfinite(number) || !has_plain_form(number) || number == 0.0) return fmt::format("{:.{}g}", number, digits);
  std::string text = fixed(number, decimals_of(number, digits));
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

double rounded_to_digits(double value, int digits) {
  std::array<char, 64> text;
  const auto written =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific, digits - 1);
  double rounded = value;  // which it stays where it would become larger than any number
  if (written.ec == std::errc{}) std::from_chars(text.data(), written.ptr, rounded);
  return rounded;
}

bool is_rounding(double half_width, double mean) {
  constexpr double share = 1e-12;
  return half_width <= share * std::abs(mean);
}

std::string with_interval(double mean, const std::optional<double>& ci_low, const std::optional<double>& ci_high,
                          int digits) {
  constexpr double most_apart = 1.1;  // of the two halves, as a ratio
  if (!ci_low || !ci_high) return with_digits(mean, digits);
  const double below = is_rounding(mean - *ci_low, mean) ? 0.0 : mean - *ci_low;
  const double above = is_rounding(*ci_high - mean, mean) ? 0.0 : *ci_high - mean;
  const double longer = std::max(below, above), shorter = std::min(below, above);
  const bool symmetric = longer <= most_apart * shorter || !(longer > 0.0);
  const bool plain = std::isfinite(longer) && has_plain_form(mean) && has_plain_form(longer);
  if (symmetric && (!(longer > 0.0) || !plain)) return fmt::format("{} +- {:.2g}", with_digits(mean, digits), longer);
  if (!plain)
    return fmt::format("{} ({} .. {})", with_digits(mean, digits), with_digits(*ci_low, digits),
                       with_digits(*ci_high, digits));
  const int decimals = decimals_of(symmetric || shorter < most_unseen * longer ? longer : shorter, 2);
  const std::string rounded = fixed(mean, mean == 0.0 ? decimals : std::min(decimals, decimals_of(mean, digits)));
  if (symmetric) return fmt::format("{} +- {}", rounded, fixed(longer, decimals));
  return fmt::format("{} ({} .. {})", rounded, fixed(mean - below, decimals), fixed(mean + above, decimals));
}

std::string with_plus_minus_sign(const std::string& text) { return boost::replace_all_copy(text, " +- ", " ± "); }

std::string as_percentage(double share) {
  const double shown = share == 0.0 ? 0.0 : share;  // which may be -0.0
  return fmt::format("{}{} %", shown < 0.0 ? "" : "+", with_digits(100.0 * shown, 2));
}

std::string counted(std::uint64_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

}  // namespace muster
