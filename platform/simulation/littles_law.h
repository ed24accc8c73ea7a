#pragma once

#include "platform/model/time_unit.h"
#include "platform/simulation/cluster.h"
#include "platform/simulation/job_statistics.h"

namespace muster {

/// Checks that the integral of the jobs present is the sum of the times that jobs were present: found on two ways that
/// share nothing, the counting of arrivals and completions, and the jobs themselves with those that are still here.
/// @param now the end of the simulation
/// @throws std::runtime_error that names a class for which they differ
void check_littles_law(const cluster& simulated, job_statistics& jobs, const time_unit& unit, ticks now);

}  // namespace muster
