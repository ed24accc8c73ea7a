#pragma once

#include <cstdint>
#include <optional>

#include "muster/policies/job.h"
#include "platform/trace/trace_file.h"

namespace muster {

/// Prints ticks as decimal numbers of a unit that holds a power of ten of them: exactly, without trailing zeros, and
/// several times faster than floating point.
class decimal_time {
 public:
  /// The most characters that a number takes.
  static constexpr std::size_t longest = 48;

  /// @param digits behind the point: a unit is 10^digits ticks; 0 to 18
  explicit decimal_time(int digits) : digits_(digits) {
    for (int n = 0; n < digits; ++n) unit_ *= 10;
  }
  /// @return nothing if the unit does not hold a power of ten of ticks
  static std::optional<decimal_time> of_unit(std::uint64_t ticks_in_unit) {
    int digits = 0;
    for (; ticks_in_unit > 1; ticks_in_unit /= 10, ++digits)
      if (ticks_in_unit % 10 != 0) return std::nullopt;
    return decimal_time(digits);
  }

  /// @param to has room for `longest` characters
  /// @return the end of the printed characters
  char* print(char* to, ticks t) const {
    text_cursor whole{to};
    whole << t / unit_;
    to = whole.at;
    ticks fraction = t % unit_;
    if (fraction == 0) return to;
    int length = digits_;
    for (; fraction % 10 == 0; fraction /= 10) --length;
    *to = '.';
    for (int at = length; at > 0; --at, fraction /= 10) to[at] = static_cast<char>('0' + fraction % 10);
    return to + length + 1;
  }

 private:
  int digits_;
  ticks unit_ = 1;
};

}  // namespace muster
