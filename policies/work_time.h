#pragma once

#include <algorithm>
#include <cmath>

#include "muster/policies/ticks.h"

namespace muster {

/// The time that work takes on cores of a capacity > 0: the nearest number of ticks, at least 1 on another capacity
/// than 1, at most end_of_clock.
inline ticks time_of_work(ticks work, double capacity) {
  if (capacity == 1.0) return work;
  const double exact = static_cast<double>(work) / capacity;
  return std::max<ticks>(1, static_cast<ticks>(std::llround(std::min(exact, static_cast<double>(end_of_clock)))));
}

}  // namespace muster
