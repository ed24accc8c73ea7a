#include "platform/model/compatibility_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include <boost/graph/edmonds_karp_max_flow.hpp>
#include <boost/range/iterator_range.hpp>

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

/// Work flows from the source through classes and servers to the sink.
struct work_flow {
  flow_network arcs;
  std::size_t source, sink;

  /// @param load of each class's vertex
  /// @param speed factor of the servers' capacities
  work_flow(const compatibility_graph& graph, const std::vector<double>& load, double speed)
      : arcs(num_vertices(graph) + 2), source(num_vertices(graph)), sink(source + 1) {
    for (std::size_t v = 0; v < num_vertices(graph); ++v) {
      if (v < load.size())
        add_arc(arcs, source, v, load[v]);
      else
        add_arc(arcs, v, sink, speed * graph[v].capacity);
    }
    for (const auto e : boost::make_iterator_range(edges(graph)))
      add_arc(arcs, boost::source(e, graph), boost::target(e, graph), std::numeric_limits<double>::infinity());
  }

  double flow() { return edmonds_karp_max_flow(arcs, source, sink, boost::color_map(get(boost::vertex_color, arcs))); }
};

std::vector<double> loads(const compatibility_graph& graph) {
  std::vector<double> all(class_vertices(graph));
  for (std::size_t v = 0; v < all.size(); ++v) all[v] = graph[v].load;
  return all;
}

double total(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// Classes on the source's side of a minimum cut when servers give `speed` times their capacity; none if all work
/// flows.
std::vector<std::size_t> cut_classes(const compatibility_graph& graph, double speed) {
  const std::vector<double> load = loads(graph);
  work_flow work(graph, load, speed);
  std::vector<std::size_t> cut;
  if (work.flow() >= total(load) * (1.0 - 1e-12)) return cut;
  for (std::size_t v = 0; v < load.size(); ++v)
    if (get(boost::vertex_color, work.arcs, v) != boost::white_color) cut.push_back(v);
  return cut;
}

double ratio(const compatibility_graph& graph, const std::vector<std::size_t>& classes) {
  double load = 0.0;
  for (const std::size_t c : classes) load += graph[c].load;
  return load / capacity_of(graph, classes);
}

/// The number of sets of d out of n, or a number above `most`.
double ways_to_draw(std::size_t n, std::size_t d, double most) {
  double ways = 1.0;
  for (std::size_t i = 0; i < std::min(d, n - d) && ways <= most; ++i)
    ways *= static_cast<double>(n - i) / static_cast<double>(i + 1);
  return std::round(ways);
}

}  // namespace

std::vector<double> mean_sizes(const scenario& model) {
  std::vector<double> sizes;
  sizes.reserve(model.classes.size());
  for (const class_spec& c : model.classes) sizes.push_back(c.size.mean());
  return sizes;
}

compatibility_graph make_compatibility_graph(const scenario& model, const std::vector<double>& given) {
  const std::vector<double>& work = given.empty() ? mean_sizes(model) : given;
  compatibility_graph graph(model.classes.size() + model.servers.size());
  for (std::size_t s = 0; s < model.servers.size(); ++s) {
    const server_spec& spec = model.servers[s];
    graph[model.classes.size() + s] = {side::server_group, s, 0.0, spec.capacity * spec.count * spec.cores};
  }
  std::unordered_map<std::string_view, std::size_t> vertex_of;
  for (const server_spec& spec : model.servers) vertex_of.emplace(spec.name, model.classes.size() + vertex_of.size());
  for (std::size_t c = 0; c < model.classes.size(); ++c) {
    const class_spec& spec = model.classes[c];
    graph[c] = {side::job_class, c, spec.rate * spec.need * work[c], 0.0};
    for (const std::string& name : spec.servers) add_edge(c, vertex_of.at(name), graph);
  }
  return graph;
}

std::optional<compatibility_graph> make_split_graph(const scenario& model, std::size_t most,
                                                    const std::vector<double>& given) {
  const std::vector<double>& work = given.empty() ? mean_sizes(model) : given;
  std::size_t servers = 0;
  std::unordered_map<std::string_view, std::pair<std::size_t, std::size_t>> range_of;
  for (const server_spec& s : model.servers) {
    range_of[s.name] = {servers, servers + s.count};
    servers += s.count;
  }
  double vertices = 0.0;
  for (const class_spec& c : model.classes)
    vertices += c.drawn ? ways_to_draw(servers, c.drawn, static_cast<double>(most)) : 1.0;
  if (vertices > static_cast<double>(most)) return std::nullopt;

  const auto classes = static_cast<std::size_t>(vertices);
  compatibility_graph graph(classes + servers);
  std::size_t vertex = 0;
  for (std::size_t c = 0; c < model.classes.size(); ++c) {
    const class_spec& spec = model.classes[c];
    const double load = spec.rate * spec.need * work[c];
    if (spec.drawn == 0) {
      for (const std::string& name : spec.servers)
        for (auto [s, end] = range_of.at(name); s != end; ++s) add_edge(vertex, classes + s, graph);
      graph[vertex++] = {side::job_class, c, load, 0.0};
      continue;
    }
    std::vector<bool> drawn(servers);
    std::fill_n(drawn.begin(), spec.drawn, true);
    const double ways = ways_to_draw(servers, spec.drawn, static_cast<double>(most));
    do {
      for (std::size_t s = 0; s < servers; ++s)
        if (drawn[s]) add_edge(vertex, classes + s, graph);
      graph[vertex++] = {side::job_class, c, load / ways, 0.0};
    } while (std::prev_permutation(drawn.begin(), drawn.end()));
  }
  for (std::size_t s = 0; s < model.servers.size(); ++s)
    for (std::size_t n = 0; n < model.servers[s].count; ++n)
      graph[vertex++] = {side::server_group, s, 0.0, model.servers[s].capacity * model.servers[s].cores};
  return graph;
}

std::size_t class_vertices(const compatibility_graph& graph) {
  std::size_t classes = 0;
  while (classes < num_vertices(graph) && graph[classes].kind == side::job_class) ++classes;
  return classes;
}

double capacity_of(const compatibility_graph& graph, const std::vector<std::size_t>& classes) {
  double capacity = 0.0;
  std::vector<bool> counted(num_vertices(graph));
  for (const std::size_t c : classes)
    for (const auto s : boost::make_iterator_range(adjacent_vertices(c, graph))) {
      if (!counted[s]) capacity += graph[s].capacity;
      counted[s] = true;
    }
  return capacity;
}

// Newton's method on the ratio: each cut yields a set of a greater ratio than the ones before, until there is none.
bottleneck find_bottleneck(const compatibility_graph& graph) {
  bottleneck found;
  found.classes.resize(class_vertices(graph));
  std::iota(found.classes.begin(), found.classes.end(), std::size_t{0});
  found.load = ratio(graph, found.classes);
  for (auto cut = cut_classes(graph, found.load); !cut.empty(); cut = cut_classes(graph, found.load)) {
    const double harder = ratio(graph, cut);
    if (harder <= found.load * (1.0 + 1e-12)) break;
    found = {harder, std::move(cut)};
  }
  return found;
}

// A minimum cut with the class on the source's side: its arc has the capacity of all its servers, so cutting it is
// never cheaper.
double largest_load(const compatibility_graph& graph, std::size_t of) {
  std::vector<double> load = loads(graph);
  load[of] = capacity_of(graph, {of});
  const double flow = work_flow(graph, load, 1.0).flow();
  load[of] = 0.0;
  return flow - total(load);
}

}  // namespace muster
