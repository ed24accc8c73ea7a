#include "platform/model/network_racks.h"

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include <boost/graph/adjacency_list.hpp>

#include "platform/model/class_table.h"
#include "platform/model/network_topology.h"
#include "platform/model/scheduler_share.h"

namespace muster {

namespace {

// The rack of each server, as they are numbered in the network.
std::vector<std::uint32_t> racks_in_network(const scenario& model) {
  const network_graph graph = make_network_graph(model);
  const std::size_t switches = model.network.shape->switches_of_rack(model.network);
  std::vector<std::size_t> above(num_vertices(graph));  // the switch to which each server is joined
  std::size_t first = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> servers;
  for (std::size_t v = 0; v < num_vertices(graph); ++v) {
    if (graph[v].is != network_vertex::kind::server) continue;
    servers.push_back(v);
    above[v] = *adjacent_vertices(v, graph).first;
    first = std::min(first, above[v]);
  }
  std::map<std::size_t, std::uint32_t> numbers;
  std::vector<std::uint32_t> racks(servers.size());
  for (const std::size_t v : servers) {
    const auto number = static_cast<std::uint32_t>(numbers.size());
    racks[graph[v].server] = numbers.try_emplace((above[v] - first) / switches, number).first->second;
  }
  return racks;
}

}  // namespace

std::string topologies_with_racks() {
  std::vector<std::string> names;
  for (const topology_entry* t : topology_catalogue())
    if (has_racks(*t)) names.emplace_back(t->name);
  std::string text = names.front();
  for (std::size_t n = 1; n < names.size(); ++n) text += (n + 1 == names.size() ? " or " : ", ") + names[n];
  return text;
}

server_racks racks_of(const scenario& model, std::uint32_t scheduler) {
  server_racks racks;
  if (!has_racks(*model.network.shape)) return racks;
  const std::vector<std::uint32_t> in_network = racks_in_network(model);
  for (const std::uint32_t rack : in_network) racks.count = std::max(racks.count, rack + 1);
  std::vector<std::vector<std::uint32_t>> of_entries;  // of the servers that the scheduler owns; none of some entries
  std::size_t before = 0;
  for (std::size_t entry = 0; entry < model.servers.size(); before += model.servers[entry++].count) {
    const entry_share own = share_of_entry(model, scheduler, entry);
    if (own.count == 0) continue;
    std::vector<std::uint32_t>& of_entry = of_entries.emplace_back();
    for (std::uint32_t n = 0; n < own.count; ++n) of_entry.push_back(in_network[before + own.first + n * own.step]);
  }
  for (const server_span& g :
       server_groups(model.schedulers.several() ? share_of_scheduler(model, scheduler) : model)) {
    const auto first = of_entries[g.entry].begin() + g.first;
    racks.of_servers.push_back(std::vector<std::uint32_t>(first, first + g.count));
  }
  return racks;
}

}  // namespace muster
