#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

namespace muster {

/// Writes text into memory that is known to have room for it: no check at each piece, and literals are copied inline.
struct text_cursor {
  char* at;

  template <std::size_t Size>
  text_cursor& operator<<(const char (&literal)[Size]) {
    std::memcpy(at, literal, Size - 1);
    at += Size - 1;
    return *this;
  }
  text_cursor& operator<<(std::string_view text) {
    std::memcpy(at, text.data(), text.size());
    at += text.size();
    return *this;
  }
  text_cursor& operator<<(std::uint64_t number) {
    const fmt::format_int digits(number);
    return *this << std::string_view(digits.data(), digits.size());
  }
  text_cursor& operator<<(char c) {
    *at++ = c;
    return *this;
  }
};

}  // namespace muster
