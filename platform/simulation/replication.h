#pragma once

#include <cstdint>
#include <vector>

#include "platform/metrics/mser.h"
#include "platform/metrics/replication_result.h"
#include "platform/model/scenario.h"
#include "platform/trace/trace_kind.h"

namespace muster {

/// How a replication is watched while it runs. Its results do not depend on it.
struct watching {
  bool check_protocol = false;        ///< every hop is held against the TLM-2.0 base protocol
  std::vector<trace_request> traces;  ///< to be written on the way
  bool pictures = false;              ///< the result has what a page draws of it
};

/// Simulates one replication of a point in this process, which can hold only one: SystemC permits no second.
///
/// The window of measurement ends with run.jobs completions, and the simulation when that instant is complete. With
/// run.precision and intervals by batch means it looks at the interval then, and each time that they have grown by a
/// fifth, and ends when it is narrow enough, or at the precision's most.
/// @throws std::runtime_error on a fault, with the module, the simulated time and what went wrong
replication_result run_replication(const scenario& point, std::uint32_t replication, const watching& watch = {});

/// Simulates a replication that is none of those that are measured, to find their warm-up by MSER-5; see above.
found_warm_up run_pilot(const scenario& point);

}  // namespace muster
