#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// The number that a text is, perhaps `inf` or `nan`; none if it is anything else, or beyond the range of the type.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number found{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, found);
  return error == std::errc() && stop == end ? std::optional(found) : std::nullopt;
}

/// The share that a number or, with `%`, a percentage is.
inline std::optional<double> share_in(std::string_view text) {
  if (text.empty() || text.back() != '%') return number_in<double>(text);
  const auto percent = number_in<double>(text.substr(0, text.size() - 1));
  return percent ? std::optional(*percent / 100.0) : std::nullopt;
}

/// A unit in which a value may be written: so many times the unit in which the scenario counts.
struct unit_of_measure {
  std::string name;
  std::string_view of;  ///< what it measures, as descriptions of keys call it: "time", "bytes", "W"
  /// The factor. Of two integers, so that no factor is rounded.
  double numerator = 1.0, denominator = 1.0;
};

/// The units of bytes, watts and hertz: with decimal prefixes, and of bytes also with binary ones.
const std::vector<unit_of_measure>& units_without_time();

/// A number with a unit, such as "20 min" or "10 GB/s".
struct quantity {
  long double number = 0.0L;
  std::string unit;  ///< without spaces
};

/// The quantity that a text is; none if it does not begin with a number, or has no unit behind it.
std::optional<quantity> quantity_in(std::string_view text);

/// Whether a number is whole, and small enough that a double has each of its neighbours, too.
bool is_exact_integer(double number);

/// The units in which a key may be written.
/// @param of what the key measures, such as "time", "1/time" or "bytes/time"
/// @param base of times, bytes, ..
std::vector<unit_of_measure> units_of_key(std::string_view of, const std::vector<unit_of_measure>& base);

/// The number in the scenario's own unit, rounded once. Nothing if it is none of the units.
std::optional<double> in_own_unit(const quantity& given, const std::vector<unit_of_measure>& units);

/// What is wrong with a unit of a value; empty: it is one of the units.
/// @param of what the value measures, for the message
std::string wrong_unit(const quantity& given, std::string_view of, const std::vector<unit_of_measure>& units);

}  // namespace muster
