#pragma once

#include <optional>
#include <string>

#include "muster/policies/cluster_view.h"

namespace muster {

/// Pooled jobs take whole servers: a need of several cores has no meaning for them.
inline std::optional<std::string> unless_whole_servers(const cluster_view& cluster) {
  for (const class_id id : cluster.classes())
    if (cluster.need(id) != 1)
      return "its jobs take whole servers, but class '" + cluster.name(id) + "' needs " +
             std::to_string(cluster.need(id)) + " cores; expected need 1";
  return std::nullopt;
}

}  // namespace muster
