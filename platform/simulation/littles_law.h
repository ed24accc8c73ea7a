#pragma once

#include "platform/model/time_unit.h"
#include "platform/simulation/cluster.h"
#include "platform/simulation/job_statistics.h"

namespace muster {

/// Checks that the integral of the number of jobs present is the sum of the times for which jobs were present. The two
/// are independent: one is from counts of arrivals and completions, the other from the jobs, present ones included.
/// @param now end of the simulation
/// @throws std::runtime_error that names a class for which they differ
void check_littles_law(const cluster& simulated, job_statistics& jobs, const time_unit& unit, ticks now);

}  // namespace muster
