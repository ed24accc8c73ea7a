#pragma once

#include "muster/modules/network/routes.h"

namespace muster {

/// Receives the messages that occupy edges of finite bandwidth in a network.
class network_observer {
 public:
  /// A message occupies an arc from `begins` until `ends`. It arrives the edge's latency after `ends`. Where messages
  /// share edges, the call comes when none is left on the arc, and `bytes` are those of all since `begins`.
  virtual void edge_occupied(network_arc arc, ticks begins, ticks ends, std::uint64_t bytes) = 0;

 protected:
  ~network_observer() = default;
};

}  // namespace muster
