#pragma once

#include <cstdint>
#include <vector>

#include "platform/import/slurm/node_groups.h"
#include "platform/import/slurm/site_jobs.h"

namespace muster {

/// What a job needs, as a scenario has it: equal tasks, each whole on one node.
struct job_shape {
  std::uint32_t tasks = 1, cores = 1;  ///< tasks, and cores of each
  double memory = 0.0;                 ///< bytes of each task
  std::vector<std::uint32_t> gres;     ///< devices of each task
  bool exclusive = false;

  bool operator<(const job_shape& other) const;
};

/// The shape of a job. With a number of nodes that divides cores and devices a task is all that it holds on a node, if
/// a node has as much; else it is a core, or as little as cores and devices can be divided into.
/// @param memory bytes of each core
job_shape shape_of(const site_job& job, double memory, bool exclusive, const std::vector<std::string>& gres,
                   const std::vector<const node_group*>& nodes);

/// The fewest nodes that can hold a job, one of which has room for a task.
std::uint64_t fewest_nodes(const job_shape& shape, const std::vector<std::string>& gres,
                           const std::vector<const node_group*>& nodes);

/// Whether nodes that are empty have room for a job.
bool fits(const job_shape& shape, const std::vector<std::string>& gres, const std::vector<const node_group*>& nodes);

}  // namespace muster
