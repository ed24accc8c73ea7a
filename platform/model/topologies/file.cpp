#include <string_view>
#include <unordered_map>

#include "platform/model/network_builder.h"
#include "platform/model/network_topology.h"
#include "platform/model/topology_entry.h"

namespace muster {

namespace {

void build_listed(network_builder& network) {
  std::unordered_map<std::string_view, std::size_t> number;
  for (const std::string& name : network.servers()) number.emplace(name, number.size());
  const listed_network& read = *network.network().file;
  for (const listed_network::vertex& v : read.vertices)
    network.add(v.is, v.name, v.is == network_vertex::kind::server ? number.at(v.name) : 0);
  for (const listed_network::edge& e : read.edges) network.join(e.from, e.to, e.with);
}

}  // namespace

/// A network that a file lists. Its key is read where files are.
extern const topology_entry file_topology{"file", 9, [](std::uint64_t) { return std::vector<described_key>{}; },
                                          [](const network_spec&) { return std::vector<edge_spec>{}; }, build_listed};

}  // namespace muster
