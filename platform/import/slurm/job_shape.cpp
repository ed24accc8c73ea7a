#include "platform/import/slurm/job_shape.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <tuple>

namespace muster {

namespace {

// The tasks that an empty node has room for.
std::uint64_t tasks_on(const node_group& node, const job_shape& shape, const std::vector<std::string>& gres) {
  double room = std::floor(static_cast<double>(node.cores) / shape.cores);
  if (shape.memory > 0.0) room = std::min(room, std::floor(node.memory / shape.memory));
  for (std::size_t n = 0; n < gres.size(); ++n) {
    if (shape.gres[n] == 0) continue;
    const auto there = node.gres.find(gres[n]);
    room = std::min(room, there == node.gres.end() ? 0.0 : std::floor(there->second / shape.gres[n]));
  }
  return static_cast<std::uint64_t>(room);
}

// A job divided into so many tasks, which divide its cores.
job_shape divided(const site_job& job, std::uint32_t tasks, double memory, bool exclusive) {
  const std::uint32_t cores = job.cores / tasks;
  job_shape shape{tasks, cores, memory * cores, {}, exclusive};
  for (const double devices : job.gres) shape.gres.push_back(static_cast<std::uint32_t>(devices) / tasks);
  return shape;
}

}  // namespace

bool job_shape::operator<(const job_shape& other) const {
  return std::tie(tasks, cores, memory, gres, exclusive) <
         std::tie(other.tasks, other.cores, other.memory, other.gres, other.exclusive);
}

job_shape shape_of(const site_job& job, double memory, bool exclusive, const std::vector<std::string>& gres,
                   const std::vector<const node_group*>& nodes) {
  std::uint32_t pieces = job.cores;  // the most tasks that divide cores and devices
  for (const double devices : job.gres)
    if (devices >= 1.0) pieces = std::gcd(pieces, static_cast<std::uint32_t>(devices));
  if (job.nodes > 0 && pieces % job.nodes == 0) {
    job_shape whole = divided(job, job.nodes, memory, exclusive);
    if (std::any_of(nodes.begin(), nodes.end(), [&](const node_group* n) { return tasks_on(*n, whole, gres) > 0; }))
      return whole;
  }
  return divided(job, pieces, memory, exclusive);
}

std::uint64_t fewest_nodes(const job_shape& shape, const std::vector<std::string>& gres,
                           const std::vector<const node_group*>& nodes) {
  std::uint64_t most = 1;
  for (const node_group* node : nodes) most = std::max(most, tasks_on(*node, shape, gres));
  return (shape.tasks + most - 1) / most;
}

bool fits(const job_shape& shape, const std::vector<std::string>& gres, const std::vector<const node_group*>& nodes) {
  std::uint64_t room = 0;
  for (const node_group* node : nodes) room += node->count * tasks_on(*node, shape, gres);
  return room >= shape.tasks;
}

}  // namespace muster
