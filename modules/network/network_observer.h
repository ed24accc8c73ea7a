#pragma once

#include "muster/modules/network/routes.h"

namespace muster {

/// Receives the messages that occupy edges of finite bandwidth in a network.
class network_observer {
 public:
  /// @param arc occupied by a message from `begins` until `ends`; it arrives the edge's latency later
  virtual void edge_occupied(network_arc arc, ticks begins, ticks ends, std::uint64_t bytes) = 0;

 protected:
  ~network_observer() = default;
};

}  // namespace muster
