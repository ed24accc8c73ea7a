#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "platform/model/scenario.h"
#include "platform/theory/optimal_utility.h"

namespace muster {

/// All jobs of a replication, known in advance.
/// @param what has an optimum; outlives the jobs
std::vector<offline_job> offline_jobs(const scenario& what, std::uint32_t replication);

/// The greatest total utility that any schedule can give the jobs of a replication, at no cost.
/// @param what has an optimum
double optimum_of(const scenario& what, std::uint32_t replication);

}  // namespace muster
