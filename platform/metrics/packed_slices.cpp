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

constexpr std::size_t most_digits = 13;  // of 64 bits

// Writes a number. @return behind its last digit
char* write_number(char* to, std::uint64_t x) {
  for (; x >= base; x /= base) *to++ = letters_of_digits[x % base + base];
  *to++ = letters_of_digits[x];
  return to;
}

// Writes a difference, modulo 2^64, that may be below zero: its sign is the last bit.
char* write_difference(char* to, std::uint64_t more) {
  const bool is_negative = (more >> 63U) != 0;
  return write_number(to, ((is_negative ? 0 - more : more) << 1U) | (is_negative ? 1U : 0U));
}

// Takes a number that begins at a place, which is then behind it. @return false: there is none
bool take_number(const char*& at, const char* end, std::uint64_t& x) {
  static constexpr std::array<std::uint8_t, 256> digits = digits_of_letters();
  std::uint64_t number = 0;
  for (unsigned shift = 0; at != end && shift < 64; shift += 5) {
    const std::uint64_t digit = digits[static_cast<unsigned char>(*at++)];
    if (digit == no_digit) return false;
    number |= (digit % base) << shift;
    if (digit >= base) continue;
    x = number;
    return true;
  }
  return false;
}

bool add_difference(const char*& at, const char* end, std::uint64_t& x) {
  std::uint64_t more = 0;
  if (!take_number(at, end, more)) return false;
  x += (more & 1U) != 0 ? 0 - (more >> 1U) : more >> 1U;
  return true;
}

}  // namespace

void append(std::string& text, const packed_slice& slice, const packed_slice& before) {
  char letters[8 * most_digits];
  char* end = write_number(letters, slice.server);
  end = write_number(end, slice.type);
  end = write_difference(end, slice.job - before.job);
  end = write_number(end, slice.cores);
  end = write_difference(end, slice.begun - before.begun);
  end = write_number(end, slice.lasted ? *slice.lasted + 1 : 0);
  end = write_number(end, slice.overhead);
  end = write_number(end, slice.saving);
  text.append(letters, static_cast<std::size_t>(end - letters));
}

bool take(std::string_view& text, packed_slice& slice) {
  const char* at = text.data();
  const char* const end = at + text.size();
  std::uint64_t lasted = 0;
  if (!take_number(at, end, slice.server) || !take_number(at, end, slice.type) || !add_difference(at, end, slice.job) ||
      !take_number(at, end, slice.cores) || !add_difference(at, end, slice.begun) || !take_number(at, end, lasted) ||
      !take_number(at, end, slice.overhead) || !take_number(at, end, slice.saving))
    return false;
  text.remove_prefix(static_cast<std::size_t>(at - text.data()));
  slice.lasted = lasted > 0 ? std::optional(lasted - 1) : std::nullopt;
  return true;
}

}  // namespace muster
