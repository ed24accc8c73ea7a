#pragma once

#include <cstdint>

#include "muster/policies/job.h"
#include "muster/policies/resource_layout.h"
#include "muster/policies/table.h"

namespace muster {

/// A server of the cluster.
struct server_name {
  group_id group;
  std::uint32_t server;  ///< within the group

  bool operator==(const server_name& other) const { return group == other.group && server == other.server; }
};

/// What the cluster has when no job holds anything and no server is down, where tasks count.
struct cluster_inventory {
  /// The servers of a group, which are alike.
  struct group {
    std::uint32_t servers;
    resource_layout each;
  };
  table<group_id, group> groups{};
  resource_layout of_cluster{};  ///< of what the cluster has as a whole; without places: of nothing
};

}  // namespace muster
