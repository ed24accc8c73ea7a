#pragma once

#include <cstdint>

#include "muster/policies/job.h"
#include "muster/policies/resources.h"

namespace muster {

/// Receives what is free of the resources of servers.
class resource_observer {
 public:
  /// What is free of a server's resources has changed.
  /// @param free in each place of the server, see resource_layout; null: the server is down
  virtual void free_changes(group_id group, std::uint32_t server, const amounts* free) = 0;

 protected:
  ~resource_observer() = default;
};

}  // namespace muster
