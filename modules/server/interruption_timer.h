#pragma once

#include <cstdint>

#include "muster/policies/job.h"

namespace muster {

/// How long a server works on a slice before it interrupts it; each server of a bank has its own sequence.
class interruption_timer {
 public:
  virtual ~interruption_timer() = default;
  /// @param server number within the bank @return at least 1
  virtual ticks next(std::uint32_t server) = 0;
  /// It will likely be asked for that server's next soon: time to fetch what that needs into the cache.
  virtual void expected(std::uint32_t /*server*/) {}
};

}  // namespace muster
