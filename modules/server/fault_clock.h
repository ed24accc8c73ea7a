#pragma once

#include <cstdint>

#include "muster/policies/job.h"

namespace muster {

/// When servers fail and how long repairs take; each server of a bank has its own sequences.
class fault_clock {
 public:
  virtual ~fault_clock() = default;
  /// @param server number within the bank
  /// @return ticks from the start, or from the end of its latest repair, to its next failure; at least 1. A failure
  /// beyond the range of the clock never comes
  virtual ticks to_failure(std::uint32_t server) = 0;
  /// @return ticks that the repair takes which begins now; at least 1. One that would end beyond the range of the clock
  /// never ends
  virtual ticks to_repair(std::uint32_t server) = 0;
};

}  // namespace muster
