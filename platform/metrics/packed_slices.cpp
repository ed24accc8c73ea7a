#include "platform/metrics/packed_slices.h"

#include <array>

namespace muster {

namespace {

constexpr std::string_view letters_of_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint64_t base = 32;

constexpr std::uint8_t no_digit = 255;

constexpr std::array<std::uint8_t, 256> digits_of_letters() {
  std::array<std::uint8_t, 256> digits{};
  for (std::uint8_t& digit : digits) digit = no_digit;
  for (std::size_t n = 0; n < letters_of_digits.size(); ++n)
    digits[static_cast<unsigned char>(letters_of_digits[n])] = static_cast<std::uint8_t>(n);
  return digits;
}

void append_number(std::string& text, std::uint64_t x) {
  for (; x >= base; x /= base) text += letters_of_digits[x % base + base];
  text += letters_of_digits[x];
}

// A difference, modulo 2^64, that may be below zero: its sign is the last bit.
void append_difference(std::string& text, std::uint64_t more) {
  const bool is_negative = (more >> 63U) != 0;
  append_number(text, ((is_negative ? 0 - more : more) << 1U) | (is_negative ? 1U : 0U));
}

bool take_number(std::string_view& text, std::uint64_t& x) {
  static constexpr std::array<std::uint8_t, 256> digits = digits_of_letters();
  x = 0;
  for (unsigned shift = 0; !text.empty() && shift < 64; shift += 5) {
    const std::uint64_t digit = digits[static_cast<unsigned char>(text.front())];
    if (digit == no_digit) return false;
    text.remove_prefix(1);
    x |= (digit % base) << shift;
    if (digit < base) return true;
  }
  return false;
}

bool add_difference(std::string_view& text, std::uint64_t& x) {
  std::uint64_t more = 0;
  if (!take_number(text, more)) return false;
  x += (more & 1U) != 0 ? 0 - (more >> 1U) : more >> 1U;
  return true;
}

}  // namespace

void append(std::string& text, const packed_slice& slice, const packed_slice& before) {
  append_number(text, slice.server);
  append_number(text, slice.type);
  append_difference(text, slice.job - before.job);
  append_number(text, slice.cores);
  append_difference(text, slice.begun - before.begun);
  append_number(text, slice.lasted ? *slice.lasted + 1 : 0);
  append_number(text, slice.overhead);
  append_number(text, slice.saving);
}

bool take(std::string_view& text, packed_slice& slice) {
  std::uint64_t lasted = 0;
  if (!take_number(text, slice.server) || !take_number(text, slice.type) || !add_difference(text, slice.job) ||
      !take_number(text, slice.cores) || !add_difference(text, slice.begun) || !take_number(text, lasted) ||
      !take_number(text, slice.overhead) || !take_number(text, slice.saving))
    return false;
  slice.lasted = lasted > 0 ? std::optional(lasted - 1) : std::nullopt;
  return true;
}

}  // namespace muster
