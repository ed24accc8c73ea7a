#pragma once

#include <cstdint>

#include "muster/policies/ticks.h"

namespace muster {

/// An amount that changes over time, and its integral until it last changed.
struct amount_level {
  std::uint64_t now = 0;
  ticks since = 0;
  tick_sum integral = 0;

  tick_sum until(ticks end) const { return integral + static_cast<tick_sum>(now) * (end - since); }
  /// @param more modulo 2^64
  void add(ticks at, std::uint64_t more) {
    integral = until(at);
    since = at;
    now += more;
  }
};

}  // namespace muster
