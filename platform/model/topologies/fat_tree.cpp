#include <fmt/format.h>

#include "platform/model/network_builder.h"
#include "platform/model/topology_entry.h"

namespace muster {

namespace {

std::optional<std::pair<std::string_view, std::string>> objection_to_ports(const std::vector<double>& values,
                                                                           std::uint64_t servers) {
  const auto ports = static_cast<std::uint64_t>(values.front());
  if (ports % 2 != 0) return {{"ports", fmt::format("expected an even number of ports, found {}", ports)}};
  const std::uint64_t places = ports * ports * ports / 4 - 1;
  if (servers <= places) return std::nullopt;
  return {{"ports", fmt::format("a fat tree of {} ports has {} places beside the scheduler's; expected enough for {} "
                                "servers",
                                ports, places, servers)}};
}

void build_fat_tree(network_builder& network) {
  const std::size_t pods = network.whole(0), half = pods / 2;
  std::vector<std::size_t> top, edge;
  for (std::size_t c = 0; c < half * half; ++c) top.push_back(network.add_switch(fmt::format("core {}", c)));
  for (std::size_t pod = 0; pod < pods; ++pod) {
    const std::size_t first = edge.size();
    for (std::size_t s = 0; s < half; ++s) edge.push_back(network.add_switch(fmt::format("pod {} edge {}", pod, s)));
    for (std::size_t s = 0; s < half; ++s) {
      const std::size_t above = network.add_switch(fmt::format("pod {} aggregation {}", pod, s));
      for (std::size_t c = 0; c < half; ++c) network.join(top[s * half + c], above);
      for (std::size_t e = 0; e < half; ++e) network.join(above, edge[first + e]);
    }
  }
  network.join(edge.front(), network.add_scheduler());
  for (std::size_t n = 0; n < network.servers().size(); ++n) network.join(edge[(n + 1) / half], network.add_server(n));
}

}  // namespace

/// Switches with k ports: k pods of k / 2 switches above k / 2 switches with k / 2 places each, joined by (k / 2)^2
/// switches above all (Al-Fares, Loukissas and Vahdat, SIGCOMM 2008). The scheduler has the first place, the servers
/// follow.
extern const topology_entry fat_tree_topology{
    "fat_tree",
    3,
    [](std::uint64_t) {
      return std::vector<described_key>{
          {"ports", integer_key{2, 64}, required{}, "ports of each switch, an even number"}};
    },
    [](const network_spec& network) {
      return std::vector<edge_spec>{network.link, network.link};
    },
    build_fat_tree,
    false,
    objection_to_ports,
    nullptr,
    [](const network_spec&) -> std::size_t { return 1; }};

}  // namespace muster
