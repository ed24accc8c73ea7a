#pragma once

#include <cstddef>
#include <functional>

#include "platform/ranks/rank_team.h"
#include "platform/ranks/started_ranks.h"

namespace muster {

/// Runs a command on the ranks that mpirun or srun has started together: rank 0 runs it and reports its errors, the
/// others simulate for it.
/// @param workers simulations at a time, on each rank
/// @param read,run,work as lead_ranks() has them
/// @return the exit status
int run_among_ranks(const rank_place& place, std::size_t workers, const std::function<study()>& read,
                    const std::function<int(const study&, task_runner&)>& run, const simulation& work = simulate);

}  // namespace muster
