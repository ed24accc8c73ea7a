#pragma once

#include <cstdint>

#include "muster/policies/ticks.h"

namespace muster {

/// The time for which something was held, by what its holder did.
struct held_time {
  ticks overhead = 0, running = 0;
};

/// The integral over time of what has been held of a device, in parts, or of an amount: amount times ticks.
struct held_integral {
  tick_sum overhead = 0, running = 0;

  void add(std::uint64_t amount, const held_time& times) {
    overhead += static_cast<tick_sum>(amount) * times.overhead;
    running += static_cast<tick_sum>(amount) * times.running;
  }
};

}  // namespace muster
