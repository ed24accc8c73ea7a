#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "platform/model/network_builder.h"
#include "platform/model/topology_entry.h"

namespace muster {

namespace {

enum leaf_spine_key : std::size_t { leaves, spines, leaf_uplink_latency, leaf_uplink_bandwidth };

edge_spec uplink_of_leaf(const network_spec& network) {
  const double bandwidth = network.values[leaf_uplink_bandwidth];
  return {network.values[leaf_uplink_latency], std::isfinite(bandwidth) ? std::optional{bandwidth} : std::nullopt};
}

void build_leaf_spine(network_builder& network) {
  const std::size_t below = network.whole(leaves), above = network.whole(spines);
  for (std::size_t n = 0; n < above; ++n) network.add_switch(fmt::format("spine {}", n));
  const edge_spec uplink = uplink_of_leaf(network.network());
  for (std::size_t n = 0; n <= below; ++n) {
    const std::size_t leaf = network.add_switch(n == 0 ? "leaf of the scheduler" : fmt::format("leaf {}", n - 1));
    for (std::size_t s = 0; s < above; ++s) network.join(s, leaf, uplink);
  }
  network.join(above, network.add_scheduler());
  network.deal_out_servers(above + 1, below);
}

}  // namespace

/// Leaves that are joined to every spine. The servers are dealt out to the leaves in their order, the same number to
/// each or one more to some. The scheduler is alone at a leaf beside these.
extern const topology_entry leaf_spine_topology{
    "leaf_spine",
    6,
    [](std::uint64_t servers) {
      const auto most = static_cast<std::int64_t>(std::min<std::uint64_t>(servers, 4096));
      return std::vector<described_key>{{"leaves", integer_key{1, most}, required{}, "number of leaves with servers"},
                                        {"spines", integer_key{1, 256}, required{}, "number of spines"},
                                        {"uplink_latency", number_key{zero_or_more, "time", clock_limit::range}, 0.0,
                                         "latency of edges above racks and leaves"},
                                        {"uplink_bandwidth", number_key{above_zero, "bytes/time"}, left_out{"no limit"},
                                         "bandwidth of these edges, each way"}};
    },
    [](const network_spec& network) {
      const edge_spec uplink = uplink_of_leaf(network);
      return std::vector<edge_spec>{network.link, uplink, uplink, network.link};
    },
    build_leaf_spine,
    true,
    nullptr,
    nullptr,
    [](const network_spec&) -> std::size_t { return 1; }};

}  // namespace muster
