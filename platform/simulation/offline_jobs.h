#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "platform/scenario/scenario.h"
#include "platform/theory/optimal_utility.h"

namespace muster {

/// Whether the optimum of a scenario can be told: its jobs are slotted and finite, and of concave utility.
bool has_optimum(const scenario& what);

/// All jobs of a replication as somebody sees them who knows them beforehand.
/// @param what has an optimum; outlives the jobs
std::vector<offline_job> offline_jobs(const scenario& what, std::uint32_t replication);

/// The greatest total utility that any schedule can give the jobs of a replication, at no cost.
/// @param what has an optimum
double optimum_of(const scenario& what, std::uint32_t replication);

}  // namespace muster
