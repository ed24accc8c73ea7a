#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace muster {

/// Amounts of resources, in the order in which the cluster declares them; cores are the first.
using amounts = std::vector<std::uint64_t>;

/// A resource of servers, or of the cluster as a whole.
struct resource_type {
  std::string name;  ///< "cores" for the first one
  /// Parts of each device: 1 where a device is held by one task at a time. 0: not devices, but an amount that is
  /// divided freely.
  std::uint64_t parts = 0;
  bool of_cluster = false;  ///< whether the cluster has it as a whole, beside its servers
  std::string unit{};       ///< of an amount, for texts; "B": bytes; empty: none

  bool is_devices() const { return parts > 0; }
};

/// What a job holds at once: a number of tasks, each of them whole on one server, and amounts of the cluster.
///
/// Amounts are by resource: of devices in parts (up to the parts of one device, of a single device; beyond, of whole
/// devices), of cores and other resources as they are.
struct task_need {
  unsigned tasks = 1;               ///< at least 1
  amounts per_task;                 ///< of each resource of servers; at least one core
  amounts per_job{};                ///< of each resource of the cluster; empty: of none
  unsigned at_most_per_server = 0;  ///< tasks that one server may hold; 0: any number
  bool exclusive = false;           ///< whether the job holds its servers whole, and shares them with no other
  /// The largest share that a job needs of any resource of the servers that it may use, or of the cluster.
  double share = 0.0;

  bool operator==(const task_need& other) const {
    return tasks == other.tasks && per_task == other.per_task && per_job == other.per_job &&
           at_most_per_server == other.at_most_per_server && exclusive == other.exclusive;
  }
};

/// The resources of servers and of the cluster. Without any beside cores, and without needs of tasks, only cores count.
struct cluster_resources {
  std::vector<resource_type> types{{"cores"}};
  /// What the cluster has of each resource as a whole, of devices their number; 0 for those of servers; empty: there is
  /// none of the cluster.
  amounts of_cluster{};

  /// What the cluster has of a resource as a whole, of devices in parts.
  std::uint64_t all_of_cluster(std::size_t resource) const {
    if (resource >= of_cluster.size()) return 0;
    return types[resource].is_devices() ? of_cluster[resource] * types[resource].parts : of_cluster[resource];
  }
};

}  // namespace muster
