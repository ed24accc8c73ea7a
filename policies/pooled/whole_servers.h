#pragma once

#include <optional>
#include <string>

#include "muster/policies/cluster_view.h"

namespace muster {

/// Says why a policy of pooled jobs cannot run the classes, if it cannot: pooled jobs take whole servers, so that a
/// need of several cores has no meaning.
inline std::optional<std::string> unless_whole_servers(const cluster_view& cluster) {
  for (const class_id id : cluster.classes())
    if (cluster.need(id) != 1)
      return "its jobs take whole servers, but class '" + cluster.name(id) + "' needs " +
             std::to_string(cluster.need(id)) + " cores; expected need 1";
  return std::nullopt;
}

}  // namespace muster
