#pragma once

#include "muster/policies/job.h"

namespace muster {

/// Tells the time to policies, which know no simulation.
class simulated_clock {
 public:
  /// The instant of the event under way.
  virtual ticks now() const = 0;

 protected:
  ~simulated_clock() = default;
};

}  // namespace muster
