#include "muster/modules/network/routes.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <boost/range/iterator_range.hpp>

namespace muster {

namespace {

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
      vertices_[from] = {vertices_[to].inner, true, arc_of(graph[e], from, to), graph[e].latency};
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

routes::distance routes::distance::plus(const distance& more) const {
  return {std::min(latency + more.latency, end_of_clock), edges + more.edges};
}

// Dijkstra's algorithm. @param arrived_by the last edge of the path to each inner vertex
std::vector<routes::distance> routes::distances_to(std::uint32_t root, std::vector<edge>& arrived_by) const {
  constexpr distance unreachable{std::numeric_limits<ticks>::max(), std::numeric_limits<std::uint32_t>::max()};
  std::vector<distance> distances(inner_.size());
  arrived_by.resize(inner_.size());
  const auto length = [this](const edge& e) { return distance{between_[e].latency, 1}; };
  boost::dijkstra_shortest_paths(
      between_, root,
      boost::weight_map(boost::make_function_property_map<edge>(length))
          .distance_map(boost::make_iterator_property_map(distances.begin(), get(boost::vertex_index, between_)))
          .distance_compare(std::less<>{})
          .distance_combine([](const distance& a, const distance& b) { return a.plus(b); })
          .distance_inf(unreachable)
          .distance_zero(distance{})
          .visitor(boost::make_dijkstra_visitor(boost::record_edge_predecessors(
              boost::make_iterator_property_map(arrived_by.begin(), get(boost::vertex_index, between_)),
              boost::on_edge_relaxed{}))));
  return distances;
}

const routes::tree& routes::towards(std::uint32_t root) {
  const auto [found, is_new] = trees_.try_emplace(root);
  tree& ways = found->second;
  if (!is_new) return ways;
  std::vector<edge> arrived_by;
  const std::vector<distance> distances = distances_to(root, arrived_by);
  ways.assign(inner_.size(), {0, nowhere});
  for (std::uint32_t v = 0; v < ways.size(); ++v) {
    if (v == root || distances[v].edges == nowhere) continue;
    const std::size_t s = source(arrived_by[v], between_), t = target(arrived_by[v], between_);
    const auto next = static_cast<std::uint32_t>(s == v ? t : s);
    ways[v] = {arc_of(between_[arrived_by[v]], inner_[v], inner_[next]), next};
  }
  return ways;
}

std::optional<ticks> routes::find_all(std::size_t from, std::size_t to, std::vector<arc_share>& arcs) {
  arcs.clear();
  if (from == to) return 0;
  const position &begin = vertices_[from], &end = vertices_[to];
  distance all{begin.latency, 0};
  if (begin.end) arcs.push_back({begin.out, 1.0});
  if (begin.inner != end.inner) {
    const reach& way = all_towards(end.inner)[begin.inner];
    if (way.paths == 0.0) return std::nullopt;
    all = all.plus(way.to_root);
    split(begin.inner, end.inner, arcs);
  }
  if (end.end) arcs.push_back({backwards(end.out), 1.0});
  return all.plus({end.latency, 0}).latency;
}

// Whether shortest paths to the root of `reached` lead over an edge from one vertex to another.
bool routes::leads_on(const edge& e, std::uint32_t from, std::uint32_t to, const std::vector<reach>& reached) const {
  const distance over = reached[to].to_root.plus({between_[e].latency, 1});
  return reached[to].paths > 0.0 && !(over < reached[from].to_root) && !(reached[from].to_root < over);
}

const std::vector<routes::reach>& routes::all_towards(std::uint32_t root) {
  const auto [found, is_new] = reaches_.try_emplace(root);
  std::vector<reach>& reached = found->second;
  if (!is_new) return reached;
  std::vector<edge> arrived_by;
  const std::vector<distance> distances = distances_to(root, arrived_by);
  std::vector<std::uint32_t> nearest_first;
  for (std::uint32_t v = 0; v < inner_.size(); ++v) {
    reached.push_back({distances[v]});
    if (distances[v].edges != nowhere) nearest_first.push_back(v);
  }
  std::sort(nearest_first.begin(), nearest_first.end(), [&](auto a, auto b) { return distances[a] < distances[b]; });
  reached[root].paths = 1.0;
  for (const std::uint32_t v : nearest_first)
    for (const edge& e : boost::make_iterator_range(out_edges(v, between_))) {
      const auto next = static_cast<std::uint32_t>(target(e, between_));
      if (leads_on(e, v, next, reached)) reached[v].paths += reached[next].paths;
    }
  return reached;
}

// Splits what leaves a vertex over all shortest paths to a root, the same part over each. Vertices are visited once all
// that passes them is known: those that are farther away from the root first.
void routes::split(std::uint32_t from, std::uint32_t root, std::vector<arc_share>& arcs) {
  const std::vector<reach>& reached = all_towards(root);
  const auto nearer = [](const passage& a, const passage& b) { return a.to_root < b.to_root; };
  flow_.resize(inner_.size());
  flow_[from] = 1.0;
  passed_.assign(1, {from, reached[from].to_root});
  while (!passed_.empty()) {
    std::pop_heap(passed_.begin(), passed_.end(), nearer);
    const std::uint32_t v = passed_.back().vertex;
    passed_.pop_back();
    const double here = std::exchange(flow_[v], 0.0);
    if (v == root) continue;
    for (const edge& e : boost::make_iterator_range(out_edges(v, between_))) {
      const auto next = static_cast<std::uint32_t>(target(e, between_));
      if (!leads_on(e, v, next, reached)) continue;
      const double share = here * reached[next].paths / reached[v].paths;
      arcs.push_back({arc_of(between_[e], inner_[v], inner_[next]), share});
      if (flow_[next] == 0.0) {
        passed_.push_back({next, reached[next].to_root});
        std::push_heap(passed_.begin(), passed_.end(), nearer);
      }
      flow_[next] += share;
    }
  }
}

}  // namespace muster
