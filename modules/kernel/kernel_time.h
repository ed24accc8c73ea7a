#pragma once

#include <cstring>

#include <systemc>

#include "muster/policies/ticks.h"

namespace muster {

/// Sets a time of the kernel from ticks, as sc_time::from_value() does, without a call of the SystemC library for every
/// timer. An sc_time has no other member than its value (in SystemC 2.3.4 and 3.0.2; a test compares the result with
/// from_value()).
inline void set_ticks(sc_core::sc_time& time, ticks value) {
  static_assert(sizeof time == sizeof value);
  std::memcpy(static_cast<void*>(&time), &value, sizeof value);
}

}  // namespace muster
