#pragma once

#include <optional>

#include "muster/modules/scheduler/allocation/core_allocator.h"
#include "muster/modules/scheduler/ports/dispatch_port.h"
#include "muster/modules/scheduler/ports/submission_port.h"
#include "muster/modules/scheduler/services/estimate_settings.h"
#include "muster/policies/cluster_state.h"

namespace muster {

/// The parts of a scheduler that its service works with.
struct scheduler_parts {
  timekeeper& time;
  cluster_state& state;
  const table<group_id, server_group>& groups;
  core_allocator& cores;
  deferred_events& deferred;
  submission_port& submissions;
  dispatch_port& dispatches;
  std::optional<ticks> checkpoint;  ///< as in scheduler_settings
  estimate_settings estimates;      ///< as in scheduler_settings
  bool decisions_take_time;         ///< then decision_queue, not allocations, counts for how long jobs hold something
};

}  // namespace muster
