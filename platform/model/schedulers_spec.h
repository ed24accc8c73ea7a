#pragma once

#include <cstdint>

#include "muster/policies/dispatching.h"

namespace muster {

/// The schedulers of the cluster, and how its servers and jobs are split among them.
struct schedulers_spec {
  std::uint32_t count = 1;
  const dispatching_entry* dispatching = dispatching_catalogue().front();
  std::uint32_t choices = 2;       ///< see dispatching_settings
  bool share_servers = false;      ///< whether each may use all servers, or has servers of its own
  bool steal = false;              ///< whether idle ones take waiting jobs from others
  double information_delay = 0.0;  ///< units of time

  bool several() const { return count > 1; }
};

}  // namespace muster
