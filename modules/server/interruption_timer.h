#pragma once

#include <cstdint>

#include "muster/policies/job.h"

namespace muster {

/// How long a server works on a slice before it interrupts it; each server of a bank has its own sequence.
class interruption_timer {
 public:
  virtual ~interruption_timer() = default;
  /// For how many ticks a server works until its next interruption. @param server number within the bank @return at
  /// least 1
  virtual ticks next(std::uint32_t server) = 0;
  /// Prefetches what next() will need for a server.
  virtual void prefetch_next(std::uint32_t /*server*/) {}
};

}  // namespace muster
