#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "slurm_loops.h"

namespace muster::oracle {

/// What counts of a job for limits.
struct slurm_loop_share {
  std::size_t need, qos;
  std::uint32_t user;
  std::uint64_t cores, nodes;
};

/// Whether running jobs leave a job no place below a limit: that of its partition or of its QOS, where both have one
/// that of the partition, or of a QOS that is over it; those of its user and of the accounts above where neither has
/// one. What the running jobs have is counted anew for each of them.
bool slurm_exceeds_limits(const slurm_loop_share& waiting, const std::vector<slurm_loop_share>& running,
                          const std::vector<slurm_loop_need>& needs, const slurm_loop_settings& settings);

}  // namespace muster::oracle
