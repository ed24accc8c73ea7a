#pragma once

#include <optional>

#include "muster/modules/scheduler/services/scheduler_parts.h"
#include "muster/modules/scheduler/services/stall_guard.h"

namespace muster {

/// Watches the servers that may fail: no core of a server that is down is given to a job.
class server_watches {
 public:
  explicit server_watches(const scheduler_parts& parts) : parts_(parts) {}

  /// Before the simulation: sends a watch to each server that may fail.
  void begin();
  /// Processes the response to a watch, and watches for the opposite change.
  /// @param completed jobs so far
  /// @return the group of a server that has been repaired and has idle cores; otherwise nothing
  std::optional<group_id> answered(tlm::tlm_generic_payload& watch, stall_guard& stalls, std::uint64_t completed);

 private:
  scheduler_parts parts_;
};

}  // namespace muster
