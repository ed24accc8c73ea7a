#include "platform/model/network_topology.h"

#include <algorithm>

#include <fmt/format.h>

#include "platform/model/data_spec.h"
#include "platform/model/network_builder.h"

namespace muster {

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

}  // namespace muster
