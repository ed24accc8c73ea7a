#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace muster::oracle {

/// Nodes of which some have room, as a job of Slurm finds them.
struct slurm_loop_rooms {
  std::map<std::size_t, unsigned> tasks;                 ///< that fit, by node
  const std::vector<std::vector<std::uint64_t>>& free;   ///< of each node, cores first
  const std::vector<std::vector<std::uint64_t>>& nodes;  ///< what each has
  const std::vector<std::uint64_t>& weights;             ///< nodes of a higher one come first
};

/// The tasks that a job has on each node where it takes the least loaded nodes, one after the other: of the first
/// nodes, as few of them as have one at their top that has as many cores free as the node before, else of all, the one
/// with the largest free part. There is room for all tasks.
std::map<std::size_t, unsigned> take_least_loaded(slurm_loop_rooms rooms, unsigned tasks);

/// The last of the nodes of the highest weight, for one task.
std::map<std::size_t, unsigned> take_last(const slurm_loop_rooms& rooms);

}  // namespace muster::oracle
