#pragma once

#include "muster/policies/ticks.h"

namespace muster {

/// Receives the beginnings of the policy's phases.
class phase_observer {
 public:
  /// A phase begins, and the one before it ends. @param begun number of the phase, at most scheduler::phases()
  virtual void phase_begins(ticks now, unsigned begun) = 0;

 protected:
  ~phase_observer() = default;
};

}  // namespace muster
