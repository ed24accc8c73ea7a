#pragma once

#include <vector>

#include "muster/modules/network/sharing/edge_sharing.h"
#include "muster/policies/algorithms/index_pool.h"

namespace muster {

/// An edge of finite bandwidth carries one message at a time in each direction, first come, first served.
///
/// A message takes one shortest path, whole from vertex to vertex (store and forward): it occupies an edge for the time
/// that its bytes take, and arrives the latency later. It costs one timer, and one more for each edge of finite
/// bandwidth that is not the first of the path.
class fifo_sharing final : public edge_sharing, private timer_observer {
 public:
  /// @param paths of the graph; outlive this object
  /// @param hub a vertex whose paths are the reverse of those that lead to it
  fifo_sharing(timekeeper& time, const network_graph& graph, routes& paths, std::size_t hub);

  void send(ticks at, std::size_t from, std::size_t to, std::uint64_t bytes, timer_observer& receiver,
            std::uint32_t cookie) override;

 private:
  using message = std::uint32_t;

  struct way {
    ticks latency;
    double ticks_per_byte;
    ticks busy_until = 0;
  };
  struct under_way {
    timer_observer* receiver = nullptr;
    std::uint32_t cookie = 0;
    std::uint64_t bytes = 0;
    std::vector<network_arc> path;
    std::size_t passed = 0;  // arcs of the path that it has passed
  };

  void expired(ticks now, std::uint32_t cookie) override;
  void go_on(message m, ticks now);
  ticks occupy(network_arc a, ticks now, std::uint64_t bytes);

  timekeeper& time_;
  routes& paths_;
  std::size_t hub_;
  std::vector<way> ways_;  // one for each arc
  index_pool<under_way> messages_;
};

}  // namespace muster
