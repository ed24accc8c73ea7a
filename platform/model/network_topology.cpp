#include "platform/model/network_topology.h"

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <boost/graph/adjacency_list.hpp>

#include "platform/model/class_table.h"
#include "platform/model/data_spec.h"
#include "platform/model/network_builder.h"
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

bool network_spec::takes_time() const {
  const auto any_takes_time = [](const std::vector<edge_spec>& of) {
    return std::any_of(of.begin(), of.end(), [](const edge_spec& e) { return e.takes_time(); });
  };
  return any_takes_time(shape->way_to_server(*this)) ||
         (shape->other_edges && any_takes_time(shape->other_edges(*this))) ||
         (file &&
          std::any_of(file->edges.begin(), file->edges.end(), [](const auto& e) { return e.with.takes_time(); }));
}

network_builder::network_builder(const scenario& model)
    : network_(model.network), unit_(model.unit), servers_(network_names(model)) {}

std::size_t network_builder::add(network_vertex::kind is, std::string name, std::size_t server) {
  const std::size_t added = add_vertex(graph_);
  graph_[added] = {is, static_cast<std::uint32_t>(server), std::move(name)};
  return added;
}

void network_builder::join(std::size_t from, std::size_t to, const edge_spec& e) {
  add_link(graph_, from, to, unit_.to_ticks(e.latency),
           e.bandwidth ? static_cast<double>(unit_.ticks) / *e.bandwidth : 0.0);
}

void network_builder::deal_out_servers(std::size_t first_switch, std::size_t switches) {
  for (std::size_t n = 0; n < servers_.size(); ++n) join(first_switch + n * switches / servers_.size(), add_server(n));
}

std::vector<std::string> network_names(const scenario& model) {
  std::vector<std::string> names;
  for (const server_spec& s : model.servers)
    for (std::uint32_t n = 0; n < s.count; ++n)
      names.push_back(s.count == 1 ? s.name : fmt::format("{}.{}", s.name, n));
  return names;
}

network_graph make_network_graph(const scenario& model) {
  network_builder network{model};
  model.network.shape->build(network);
  if (!model.data || model.network.file) return network.graph();
  const network_graph& graph = network.graph();
  std::size_t scheduler = 0;
  while (graph[scheduler].is != network_vertex::kind::scheduler) ++scheduler;
  network.join(scheduler, network.add(network_vertex::kind::storage, "storage"), model.data->storage);
  return graph;
}

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
