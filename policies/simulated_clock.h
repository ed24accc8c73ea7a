#pragma once

#include "muster/policies/job.h"

namespace muster {

/// Gives policies the simulated time; they have no access to the simulation itself.
class simulated_clock {
 public:
  /// The instant of the event under way.
  virtual ticks now() const = 0;

 protected:
  ~simulated_clock() = default;
};

}  // namespace muster
