#pragma once

#include <cstdint>
#include <vector>

#include "muster/policies/catalogue.h"
#include "muster/policies/slurm/node_table.h"
#include "muster/policies/slurm/node_weights.h"

namespace muster {

/// In which order a job takes the nodes that have room for it.
enum class node_order : unsigned char {
  rows,          ///< by rows of neighbours, see start_search
  least_loaded,  ///< CR_LLN, or LLN of its partition
  from_the_end   ///< pack_serial_at_end: the last node, of a job of one core
};

/// The order of each class. @param given complete settings of the policy
table<class_id, node_order> node_orders_of(const cluster_view& cluster, const settings& given);

/// Nodes on which tasks fit.
struct nodes_with_room {
  const node_set& nodes;
  const std::vector<unsigned>& tasks;  ///< that fit on each, by node
};

/// Chooses least loaded nodes: those of the highest weight first, of these in each step one that has the largest part
/// of its cores free, the first one of several. As Slurm goes through them, it looks no further when one that has as
/// many free cores as the node before is the best so far: of nodes of several sizes that need not be the best one.
/// @param free_cores of each node @param tasks of the job, for which there is room
/// @param chosen receives the nodes with the tasks that each gets, in the order of the steps
void choose_least_loaded(const nodes_with_room& room, const std::vector<std::uint64_t>& free_cores,
                         const node_table& all, const node_weights& weights, unsigned tasks,
                         std::vector<node_share>& chosen);

/// Chooses the last of the nodes of the highest weight for a task. At least one has room.
void choose_last(const nodes_with_room& room, const node_weights& weights, std::vector<node_share>& chosen);

}  // namespace muster
