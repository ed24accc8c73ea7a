#include "platform/scenario/compatibility_graph.h"

#include <limits>
#include <string_view>
#include <unordered_map>

#include <boost/graph/edmonds_karp_max_flow.hpp>

namespace muster {

namespace {

using side = compatibility_vertex::side;
using traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using flow_network = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS, boost::property<boost::vertex_color_t, boost::default_color_type>,
    boost::property<boost::edge_capacity_t, double,
                    boost::property<boost::edge_residual_capacity_t, double,
                                    boost::property<boost::edge_reverse_t, traits::edge_descriptor>>>>;

void add_arc(flow_network& network, std::size_t from, std::size_t to, double capacity) {
  const auto there = add_edge(from, to, network).first;
  const auto back = add_edge(to, from, network).first;
  put(boost::edge_capacity, network, there, capacity);
  put(boost::edge_capacity, network, back, 0.0);
  put(boost::edge_reverse, network, there, back);
  put(boost::edge_reverse, network, back, there);
}

/// Classes on the source's side of a minimum cut when servers give `speed` times their capacity; none if all work
/// flows.
std::vector<std::size_t> cut_classes(const compatibility_graph& graph, double speed) {
  const std::size_t vertices = num_vertices(graph);
  const std::size_t source = vertices, sink = vertices + 1;
  flow_network network(vertices + 2);
  double total = 0.0;
  for (std::size_t v = 0; v < vertices; ++v) {
    if (graph[v].kind == side::job_class) {
      add_arc(network, source, v, graph[v].load);
      total += graph[v].load;
    } else {
      add_arc(network, v, sink, speed * graph[v].capacity);
    }
  }
  const auto all = edges(graph);
  for (auto e = all.first; e != all.second; ++e)
    add_arc(network, boost::source(*e, graph), boost::target(*e, graph), std::numeric_limits<double>::infinity());
  const double flow = edmonds_karp_max_flow(network, source, sink, boost::color_map(get(boost::vertex_color, network)));
  std::vector<std::size_t> cut;
  if (flow >= total * (1.0 - 1e-12)) return cut;
  for (std::size_t v = 0; v < vertices; ++v)
    if (graph[v].kind == side::job_class && get(boost::vertex_color, network, v) != boost::white_color)
      cut.push_back(v);
  return cut;
}

double ratio(const compatibility_graph& graph, const std::vector<std::size_t>& classes) {
  double load = 0.0, capacity = 0.0;
  std::vector<bool> counted(num_vertices(graph));
  for (const std::size_t c : classes) {
    load += graph[c].load;
    const auto servers = adjacent_vertices(c, graph);
    for (auto s = servers.first; s != servers.second; ++s) {
      if (!counted[*s]) capacity += graph[*s].capacity;
      counted[*s] = true;
    }
  }
  return load / capacity;
}

}  // namespace

compatibility_graph make_compatibility_graph(const scenario& what) {
  compatibility_graph graph(what.classes.size() + what.servers.size());
  for (std::size_t s = 0; s < what.servers.size(); ++s) {
    const server_spec& spec = what.servers[s];
    graph[what.classes.size() + s] = {side::server_group, s, 0.0, spec.capacity * spec.count * spec.cores};
  }
  std::unordered_map<std::string_view, std::size_t> vertex_of;
  for (const server_spec& spec : what.servers) vertex_of.emplace(spec.name, what.classes.size() + vertex_of.size());
  for (std::size_t c = 0; c < what.classes.size(); ++c) {
    const class_spec& spec = what.classes[c];
    graph[c] = {side::job_class, c, spec.rate * spec.need * spec.size.mean(), 0.0};
    for (const std::string& name : spec.servers) add_edge(c, vertex_of.at(name), graph);
  }
  return graph;
}

// Newton's method on the ratio: each cut names a set that presses harder than the ones before, until none does.
bottleneck find_bottleneck(const compatibility_graph& graph) {
  bottleneck found;
  for (std::size_t v = 0; v < num_vertices(graph); ++v)
    if (graph[v].kind == side::job_class) found.classes.push_back(v);
  found.load = ratio(graph, found.classes);
  for (auto cut = cut_classes(graph, found.load); !cut.empty(); cut = cut_classes(graph, found.load)) {
    const double harder = ratio(graph, cut);
    if (harder <= found.load * (1.0 + 1e-12)) break;
    found = {harder, std::move(cut)};
  }
  return found;
}

}  // namespace muster
