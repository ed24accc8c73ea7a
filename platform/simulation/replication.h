#pragma once

#include <cstdint>

#include "platform/metrics/mser.h"
#include "platform/metrics/replication_result.h"
#include "platform/model/scenario.h"
#include "platform/simulation/watching.h"

namespace muster {

/// Simulates one replication of a point in this process, which can hold only one: SystemC permits no second.
///
/// It ends after run.jobs completions. With run.precision and intervals by batch means it looks at the interval then,
/// and each time that they have grown by a fifth, and ends when it is narrow enough, or at the precision's most.
/// @throws std::runtime_error on a fault, with the module, the simulated time and what went wrong
replication_result run_replication(const scenario& what, std::uint32_t replication, const watching& watch = {});

/// Simulates a replication that is none of those that are measured, to find their warm-up by MSER-5; see above.
found_warm_up run_pilot(const scenario& what);

}  // namespace muster
