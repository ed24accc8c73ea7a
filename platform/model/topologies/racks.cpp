#include <cmath>

#include <fmt/format.h>

#include "platform/model/network_builder.h"
#include "platform/model/topology_entry.h"

namespace muster {

namespace {

enum rack_key : std::size_t { racks, uplink_latency, uplink_bandwidth };

edge_spec uplink_of(const network_spec& network) {
  const double bandwidth = network.values[uplink_bandwidth];
  return {network.values[uplink_latency], std::isfinite(bandwidth) ? std::optional{bandwidth} : std::nullopt};
}

}  // namespace

/// The scheduler is joined to each rack's switch, and that to the rack's servers, which are dealt out in their order,
/// the same number to each rack or one more to some.
extern const topology_entry racks_topology{
    "racks",
    2,
    [](std::uint64_t servers) {
      return std::vector<described_key>{
          {"racks", integer_key{1, static_cast<std::int64_t>(servers)}, required{}, "number of racks"},
          {"uplink_latency", number_key{zero_or_more, "time", clock_limit::range}, 0.0,
           "latency of edges above racks and leaves"},
          {"uplink_bandwidth", number_key{above_zero, "bytes/time"}, left_out{"no limit"},
           "bandwidth of these edges, each way"}};
    },
    [](const network_spec& network) {
      return std::vector<edge_spec>{uplink_of(network), network.link};
    },
    [](network_builder& network) {
      const std::size_t root = network.add_scheduler(), count = network.whole(racks);
      for (std::size_t r = 0; r < count; ++r)
        network.join(root, network.add_switch(fmt::format("rack {}", r)), uplink_of(network.network()));
      network.deal_out_servers(root + 1, count);
    },
    true,
    nullptr,
    nullptr,
    [](const network_spec&) -> std::size_t { return 1; }};

}  // namespace muster
