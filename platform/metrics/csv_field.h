#pragma once

#include <optional>
#include <string>
#include <type_traits>

#include <fmt/format.h>

#include "platform/tables/csv.h"

namespace muster {

/// A number with all its digits.
template <class Number, class = std::enable_if_t<std::is_arithmetic_v<Number>>>
std::string csv_field(Number number) {
  return fmt::format("{}", number);
}

/// Empty if there is no number.
inline std::string csv_field(const std::optional<double>& number) { return number ? csv_field(*number) : ""; }

/// A line of a CSV table. @param begin its first fields, as they are @param fields the others, as csv_field() has them
template <class... Fields>
std::string csv_row(std::string begin, const Fields&... fields) {
  ((begin += ',', begin += csv_field(fields)), ...);
  return begin + '\n';
}

}  // namespace muster
