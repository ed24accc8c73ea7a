#include "muster/modules/network/routes.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <boost/range/iterator_range.hpp>

namespace muster {

namespace {

struct distance {
  ticks latency = 0;
  std::uint32_t edges = 0;

  bool operator<(const distance& other) const {
    return std::tie(latency, edges) < std::tie(other.latency, other.edges);
  }
};

constexpr distance unreachable{std::numeric_limits<ticks>::max(), std::numeric_limits<std::uint32_t>::max()};

// An end is a server with one edge, to a vertex that is not an end: no path leads through it.
bool is_end(const network_graph& graph, std::size_t v) {
  if (graph[v].is != network_vertex::kind::server || out_degree(v, graph) != 1) return false;
  const std::size_t other = *adjacent_vertices(v, graph).first;
  return graph[other].is != network_vertex::kind::server || out_degree(other, graph) > 1;
}

}  // namespace

routes::routes(const network_graph& graph) : vertices_(num_vertices(graph)) {
  for (std::size_t v = 0; v < vertices_.size(); ++v) {
    if ((vertices_[v].end = is_end(graph, v))) continue;
    vertices_[v].inner = static_cast<std::uint32_t>(inner_.size());
    inner_.push_back(v);
  }
  between_ = network_graph(inner_.size());
  for (const auto e : boost::make_iterator_range(edges(graph))) {
    std::size_t from = source(e, graph), to = target(e, graph);
    if (vertices_[to].end) std::swap(from, to);
    if (vertices_[from].end)
      vertices_[from] = {vertices_[to].inner, true, arc_of(graph[e], from, to)};
    else
      add_edge(vertices_[from].inner, vertices_[to].inner, graph[e], between_);
  }
}

bool routes::find(std::size_t from, std::size_t to, std::vector<network_arc>& path) {
  path.clear();
  if (from == to) return true;
  const position &begin = vertices_[from], &end = vertices_[to];
  if (begin.end) path.push_back(begin.out);
  if (begin.inner != end.inner) {
    const tree& ways = towards(end.inner);
    for (std::uint32_t at = begin.inner; at != end.inner; at = ways[at].next) {
      if (ways[at].next == nowhere) return false;
      path.push_back(ways[at].arc);
    }
  }
  if (end.end) path.push_back(backwards(end.out));
  return true;
}

const routes::tree& routes::towards(std::uint32_t root) {
  const auto [found, is_new] = trees_.try_emplace(root);
  tree& ways = found->second;
  if (!is_new) return ways;
  using edge = network_graph::edge_descriptor;
  std::vector<distance> distances(inner_.size());
  std::vector<edge> arrived_by(inner_.size());
  const auto length = [this](const edge& e) { return distance{between_[e].latency, 1}; };
  const auto sum = [](const distance& a, const distance& b) {
    return distance{std::min(a.latency + b.latency, end_of_clock), a.edges + b.edges};
  };
  boost::dijkstra_shortest_paths(
      between_, root,
      boost::weight_map(boost::make_function_property_map<edge>(length))
          .distance_map(boost::make_iterator_property_map(distances.begin(), get(boost::vertex_index, between_)))
          .distance_compare(std::less<>{})
          .distance_combine(sum)
          .distance_inf(unreachable)
          .distance_zero(distance{})
          .visitor(boost::make_dijkstra_visitor(boost::record_edge_predecessors(
              boost::make_iterator_property_map(arrived_by.begin(), get(boost::vertex_index, between_)),
              boost::on_edge_relaxed{}))));
  ways.assign(inner_.size(), {0, nowhere});
  for (std::uint32_t v = 0; v < ways.size(); ++v) {
    if (v == root || distances[v].edges == unreachable.edges) continue;
    const std::size_t s = source(arrived_by[v], between_), t = target(arrived_by[v], between_);
    const auto next = static_cast<std::uint32_t>(s == v ? t : s);
    ways[v] = {arc_of(between_[arrived_by[v]], inner_[v], inner_[next]), next};
  }
  return ways;
}

}  // namespace muster
