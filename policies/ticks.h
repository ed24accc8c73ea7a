#pragma once

#include <cstdint>

namespace muster {

/// Simulated time as a whole number of the simulation's resolution, so that times add up exactly.
using ticks = std::uint64_t;

/// The bound of simulated time, below which sums of two times cannot overflow.
inline constexpr ticks end_of_clock = ticks{1} << 62;

/// Sums of ticks that cannot overflow.
__extension__ typedef unsigned __int128 tick_sum;

/// Gives policies the simulated time; they have no access to the simulation itself.
class simulated_clock {
 public:
  /// The instant of the present event.
  virtual ticks now() const = 0;

 protected:
  ~simulated_clock() = default;
};

}  // namespace muster
