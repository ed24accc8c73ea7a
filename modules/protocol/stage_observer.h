#pragma once

#include "muster/modules/protocol/job_extension.h"

namespace muster {

/// Receives the stages of jobs' slices at their servers.
class stage_observer {
 public:
  /// A slice of the job goes from one stage to another.
  /// @param from outbound, or a stage at the server: overhead, running or saving
  /// @param to a stage at the server, or returning
  virtual void slice_moves(ticks now, const job_extension& holder, slice_stage from, slice_stage to) = 0;

 protected:
  ~stage_observer() = default;
};

}  // namespace muster
