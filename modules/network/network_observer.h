#pragma once

#include "muster/modules/network/routes.h"

namespace muster {

/// Receives what passes over the edges of a network where bandwidth is finite.
class network_observer {
 public:
  /// @param arc over which a message passes, and which it occupies from `begins` until `ends`, before the latency
  virtual void edge_occupied(network_arc arc, ticks begins, ticks ends, std::uint64_t bytes) = 0;

 protected:
  ~network_observer() = default;
};

}  // namespace muster
