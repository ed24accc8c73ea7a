#pragma once

#include <cstdint>

#include "muster/policies/job.h"
#include "muster/policies/resources.h"

namespace muster {

/// In place of a group of servers: the cluster as a whole.
constexpr group_id whole_cluster{~std::uint32_t{0}};

/// Tasks of a job on one server, where a policy places them, see rigid_decisions::start_on(); or what the job holds of
/// the cluster as a whole.
struct task_placement {
  group_id group;        ///< whole_cluster: not tasks, but what the job holds of the cluster
  std::uint32_t server;  ///< within the group
  amounts held;          ///< in each place of the server or of the cluster, see resource_layout

  bool operator==(const task_placement& other) const {
    return group == other.group && server == other.server && held == other.held;
  }
};

/// Tasks of a job on a server that is named for it, see rigid_decisions::named_servers().
struct named_tasks {
  group_id group;
  std::uint32_t server;  ///< within the group
  std::uint32_t tasks;
};

}  // namespace muster
