#pragma once

#include "muster/policies/placement.h"

namespace muster {

/// What a server has free: the sum over its resources, each as a share of the most that one server of the cluster has.
/// At most the number of resources.
inline double free_share(const task_server& server, const task_request& request) {
  double sum = 0.0;
  for (std::size_t r = 0; r < request.largest.size(); ++r)
    if (request.largest[r] > 0)
      sum += static_cast<double>(server.layout.free_of(r, server.free)) / static_cast<double>(request.largest[r]);
  return sum;
}

}  // namespace muster
