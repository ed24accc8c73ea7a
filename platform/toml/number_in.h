#pragma once

#include <charconv>
#include <optional>
#include <string_view>

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

}  // namespace muster
