#pragma once

#include "platform/metrics/replication_result.h"
#include "platform/model/scenario.h"

namespace muster {

/// The warm-up that run_pilot() finds, in a process forked from this one, which ends with it: this process may hold
/// modules, and a kernel has one simulation. Takes as long as a replication.
/// @throws std::runtime_error if there can be no such process, or the pilot fails, with its message
found_warm_up warm_up_by_pilot(const scenario& point);

}  // namespace muster
