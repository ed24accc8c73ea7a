#include "platform/model/network_builder.h"
#include "platform/model/topology_entry.h"

namespace muster {

/// The scheduler in the middle.
extern const topology_entry star_topology{
    "star",
    1,
    [](std::uint64_t) { return std::vector<described_key>{}; },
    [](const network_spec& network) { return std::vector<edge_spec>{network.link}; },
    [](network_builder& network) {
      const std::size_t middle = network.add_scheduler();
      for (std::size_t n = 0; n < network.servers().size(); ++n) network.join(middle, network.add_server(n));
    },
    true};

}  // namespace muster
