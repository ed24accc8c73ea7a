#pragma once

#include <cstdint>

#include "policies/job.h"

namespace muster {

/// How long a server works on a job before it interrupts it; each server of a bank has its own sequence.
class interruption_timer {
 public:
  virtual ~interruption_timer() = default;
  /// @param server number within the bank @return at least 1
  virtual ticks next(std::uint32_t server) = 0;
};

}  // namespace muster
