#include "muster/modules/network/routes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <boost/range/iterator_range.hpp>

namespace muster {
namespace {

using kind = network_vertex::kind;
using length = std::pair<ticks, std::size_t>;  // latency, then edges
constexpr length far{end_of_clock, 0};

length sum(const length& a, const length& b) {
  return a.first == far.first || b.first == far.first ? far : length{a.first + b.first, a.second + b.second};
}

// Floyd and Warshall.
std::vector<std::vector<length>> all_distances(const network_graph& graph) {
  const std::size_t n = num_vertices(graph);
  std::vector<std::vector<length>> d(n, std::vector<length>(n, far));
  for (std::size_t v = 0; v < n; ++v) d[v][v] = {0, 0};
  for (const auto e : boost::make_iterator_range(edges(graph))) {
    const std::size_t a = source(e, graph), b = target(e, graph);
    if (a == b) continue;
    d[a][b] = d[b][a] = std::min(d[a][b], length{graph[e].latency, 1});
  }
  for (std::size_t over = 0; over < n; ++over)
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b) d[a][b] = std::min(d[a][b], sum(d[a][over], d[over][b]));
  return d;
}

/// Follows arcs from a vertex, and says where they lead and how long they are. Complains of arcs that do not follow.
struct walk {
  std::size_t at;
  length so_far{0, 0};
  bool broken = false;

  walk(const network_graph& graph, std::size_t from, const std::vector<network_arc>& path) : at(from) {
    for (const network_arc a : path) step(graph, a);
  }
  void step(const network_graph& graph, network_arc a) {
    for (const auto e : boost::make_iterator_range(edges(graph))) {
      if (graph[e].number != a / 2) continue;
      const std::size_t low = std::min(source(e, graph), target(e, graph));
      const std::size_t high = std::max(source(e, graph), target(e, graph));
      broken = broken || at != (a % 2 ? high : low);
      at = a % 2 ? low : high;
      so_far = sum(so_far, {graph[e].latency, 1});
    }
  }
};

network_graph random_graph() {
  network_graph graph;
  const auto vertices = *rc::gen::inRange<std::size_t>(2, 14);
  for (std::size_t v = 0; v < vertices; ++v)
    add_vertex(
        network_vertex{v == 0 ? kind::scheduler : *rc::gen::element(kind::middle, kind::server, kind::server), 0, ""},
        graph);
  const auto edges = *rc::gen::inRange<std::size_t>(0, 3 * vertices);
  for (std::size_t e = 0; e < edges; ++e)
    add_link(graph, *rc::gen::inRange<std::size_t>(0, vertices), *rc::gen::inRange<std::size_t>(0, vertices),
             *rc::gen::inRange<ticks>(0, 6), 0.0);
  return graph;
}

RC_GTEST_PROP(routes, are_as_short_as_floyd_and_warshall_find_them, ()) {
  const network_graph graph = random_graph();
  routes found{graph};
  const auto expected = all_distances(graph);
  std::vector<network_arc> path;
  for (std::size_t from = 0; from < num_vertices(graph); ++from)
    for (std::size_t to = 0; to < num_vertices(graph); ++to) {
      const bool there = found.find(from, to, path);
      RC_ASSERT(there == (expected[from][to] != far));
      if (!there) continue;
      const walk w{graph, from, path};
      RC_ASSERT(!w.broken);
      RC_ASSERT(w.at == to);
      RC_ASSERT(w.so_far == expected[from][to]);
    }
}

/// All paths of least latency, and of fewest edges among these: how many there are, and how many pass each arc.
struct path_count {
  const network_graph& graph;
  const std::vector<std::vector<length>>& distances;
  std::size_t to;
  std::size_t all = 0;
  std::map<network_arc, std::size_t> over{};
  std::vector<network_arc> so_far{};

  void walk_from(std::size_t at) {
    if (at == to) {
      ++all;
      for (const network_arc a : so_far) ++over[a];
      return;
    }
    for (const auto e : boost::make_iterator_range(edges(graph)))
      for (const auto& [from, next] :
           {std::pair{source(e, graph), target(e, graph)}, std::pair{target(e, graph), source(e, graph)}}) {
        if (from != at || from == next) continue;
        if (sum(distances[next][to], {graph[e].latency, 1}) != distances[at][to]) continue;
        so_far.push_back(arc_of(graph[e], from, next));
        walk_from(next);
        so_far.pop_back();
      }
  }
};

RC_GTEST_PROP(routes, are_split_over_all_shortest_paths_that_an_enumeration_finds, ()) {
  const network_graph graph = random_graph();
  routes found{graph};
  const auto distances = all_distances(graph);
  std::vector<arc_share> shares;
  for (std::size_t from = 0; from < num_vertices(graph); ++from)
    for (std::size_t to = 0; to < num_vertices(graph); ++to) {
      const std::optional<ticks> latency = found.find_all(from, to, shares);
      RC_ASSERT(latency.has_value() == (distances[from][to] != far));
      if (!latency) continue;
      RC_ASSERT(*latency == distances[from][to].first);
      path_count paths{graph, distances, to};
      paths.walk_from(from);
      RC_ASSERT(shares.size() == paths.over.size());
      for (const arc_share& a : shares) {
        const double expected = static_cast<double>(paths.over[a.arc]) / static_cast<double>(paths.all);
        RC_ASSERT(std::abs(a.share - expected) < 1e-12);
      }
    }
}

TEST(routes, prefer_fewer_edges_where_latency_is_the_same) {
  network_graph graph;
  for (int v = 0; v < 4; ++v) add_vertex(network_vertex{}, graph);
  add_link(graph, 0, 1, 2, 0.0);
  add_link(graph, 1, 3, 2, 0.0);
  add_link(graph, 0, 2, 1, 0.0);
  add_link(graph, 2, 1, 1, 0.0);
  add_link(graph, 0, 3, 5, 0.0);
  routes found{graph};
  std::vector<network_arc> path;
  ASSERT_TRUE(found.find(0, 3, path));
  EXPECT_EQ(path, (std::vector<network_arc>{0, 2})) << "4 by two edges, 4 by three, 5 by one";
  ASSERT_TRUE(found.find(3, 0, path));
  EXPECT_EQ(path, (std::vector<network_arc>{3, 1})) << "the other ways of the same edges";
}

}  // namespace
}  // namespace muster
