#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "muster/policies/ticks.h"

namespace muster {

/// @file
/// Exact products of times and paces. A pace is a whole number of parts for each tick, of which 2^60 are a tick at pace
/// 1, so that sums over times with different paces are exact. Where the pace is below 16, products and sums stay below
/// 2^127.

inline constexpr unsigned bits_of_part = 60;
static_assert(end_of_clock <= ticks{1} << 62U);

/// @param pace below 16 @return at least 1
inline std::uint64_t parts_per_tick(double pace) {
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::round(std::ldexp(pace, bits_of_part))));
}

inline tick_sum in_parts(ticks time) { return tick_sum{time} << bits_of_part; }

/// The ticks in which parts pass at a pace, to the nearest one, halves upwards; end_of_clock, if these are more.
/// @param pace parts for each tick
inline ticks ticks_for(tick_sum parts, std::uint64_t pace) {
  return static_cast<ticks>(std::min<tick_sum>((parts + pace / 2) / pace, end_of_clock));
}

/// The nearest whole number of ticks, halves upwards.
inline ticks nearest_tick(tick_sum parts) {
  return static_cast<ticks>((parts + (tick_sum{1} << (bits_of_part - 1))) >> bits_of_part);
}

}  // namespace muster
