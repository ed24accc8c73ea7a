#pragma once

#include "muster/policies/ticks.h"

namespace muster {

/// Receives the beginnings of the policy's phases.
class phase_observer {
 public:
  /// @param begun phase that begins now, and ends the one before; at most scheduler::phases()
  virtual void phase_begins(ticks now, unsigned begun) = 0;

 protected:
  ~phase_observer() = default;
};

}  // namespace muster
