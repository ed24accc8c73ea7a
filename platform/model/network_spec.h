#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "muster/modules/network/sharing/sharing_rule.h"
#include "platform/model/topology_entry.h"

namespace muster {

struct listed_network;

/// An edge between two vertices of the network.
struct edge_spec {
  double latency = 0.0;             ///< units of time, one way
  std::optional<double> bandwidth;  ///< bytes per unit of time, each way; none: unlimited

  bool takes_time() const { return latency > 0.0 || bandwidth; }
};

/// The network between the scheduler and the servers; without latency and bandwidth there is none.
struct network_spec {
  const topology_entry* shape = topology_catalogue().front();
  edge_spec link;                              ///< all edges but those that the topology's own keys describe
  std::vector<double> values{};                ///< of the topology's own keys, in their order; infinite: left out
  std::shared_ptr<const listed_network> file;  ///< of the topology "file": lists every server
  std::uint64_t dispatch_bytes = 40, message_bytes = 8;
  sharing_rule sharing = sharing_rule::fifo;

  bool takes_time() const;
};

}  // namespace muster
