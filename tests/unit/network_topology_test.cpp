#include "platform/model/network_topology.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/range/iterator_range.hpp>

#include "muster/modules/network/routes.h"
#include "tests/scenario/sample.h"

namespace muster {
namespace {

scenario servers_with(const std::string& link, const std::string& servers = R"({ name = "node", count = 6 })") {
  return read(with("servers = [ { name = \"node\", cores = 32 } ]", "servers = [ " + servers + " ]\nlink = " + link),
              {"classes.heavy.need=1", "policy.name=fcfs"})
      .points.front()
      .model;
}

std::size_t vertex_of(const network_graph& graph, const std::string& name) {
  for (std::size_t v = 0; v < num_vertices(graph); ++v)
    if (graph[v].name == name) return v;
  throw std::logic_error("no vertex " + name);
}

// The vertices that the path passes.
std::vector<std::string> path_of(const network_graph& graph, const std::string& from, const std::string& to) {
  std::vector<network_arc> path;
  routes{graph}.find(vertex_of(graph, from), vertex_of(graph, to), path);
  std::vector<std::string> names{from};
  for (const network_arc a : path) {
    const auto e = *std::next(edges(graph).first, a / 2);
    const std::size_t low = std::min(source(e, graph), target(e, graph)),
                      high = std::max(source(e, graph), target(e, graph));
    names.push_back(graph[a % 2 ? low : high].name);
  }
  return names;
}

using names = std::vector<std::string>;

TEST(topology, of_a_star_has_the_scheduler_in_the_middle) {
  const network_graph graph = make_network_graph(servers_with("{ latency = 0.5, bandwidth = 100.0 }"));
  EXPECT_EQ(num_vertices(graph), 7u);
  EXPECT_EQ(num_edges(graph), 6u);
  EXPECT_EQ(path_of(graph, "scheduler", "node.3"), (names{"scheduler", "node.3"}));
  EXPECT_EQ(path_of(graph, "node.1", "node.3"), (names{"node.1", "scheduler", "node.3"}));
  const network_edge e = graph[*edges(graph).first];
  EXPECT_EQ(e.latency, 500'000'000u);
  EXPECT_EQ(e.ticks_per_byte, 1e7) << "100 bytes in 10^9 ticks";
}

TEST(topology, of_racks_deals_the_servers_out_in_their_order) {
  const network_graph graph = make_network_graph(
      servers_with("{ topology = \"racks\", racks = 3, latency = 0.1, uplink_latency = 0.2, uplink_bandwidth = 8.0 }",
                   R"({ name = "node", count = 6 }, { name = "last" })"));
  std::map<std::string, std::string> rack;
  for (std::size_t v = 0; v < num_vertices(graph); ++v)
    if (graph[v].is == network_vertex::kind::server) {
      ASSERT_EQ(out_degree(v, graph), 1u);
      rack[graph[v].name] = graph[*adjacent_vertices(v, graph).first].name;
    }
  EXPECT_EQ(rack, (std::map<std::string, std::string>{{"node.0", "rack 0"},
                                                      {"node.1", "rack 0"},
                                                      {"node.2", "rack 0"},
                                                      {"node.3", "rack 1"},
                                                      {"node.4", "rack 1"},
                                                      {"node.5", "rack 2"},
                                                      {"last", "rack 2"}}));
  EXPECT_EQ(path_of(graph, "node.0", "last"), (names{"node.0", "rack 0", "scheduler", "rack 2", "last"}));
  EXPECT_EQ(path_of(graph, "node.0", "node.2"), (names{"node.0", "rack 0", "node.2"}));
  const auto [uplink, there] = edge(vertex_of(graph, "scheduler"), vertex_of(graph, "rack 1"), graph);
  ASSERT_TRUE(there);
  EXPECT_EQ(graph[uplink].latency, 200'000'000u);
  EXPECT_EQ(graph[uplink].ticks_per_byte, 1.25e8);
}

// Al-Fares et al., Figure 3: k = 4 has four pods, sixteen places, four core switches.
TEST(topology, of_a_fat_tree_is_the_papers) {
  const network_graph graph = make_network_graph(
      servers_with("{ topology = \"fat_tree\", ports = 4, latency = 1.0 }", R"({ name = "node", count = 15 })"));
  EXPECT_EQ(num_vertices(graph), 4u + 4 * 4 + 16);
  EXPECT_EQ(num_edges(graph), 16u + 16 + 16);
  std::map<std::size_t, int> servers_at;  // by edges from the scheduler
  for (int n = 0; n < 15; ++n) ++servers_at[path_of(graph, "scheduler", "node." + std::to_string(n)).size() - 1];
  EXPECT_EQ(servers_at, (std::map<std::size_t, int>{{2, 1}, {4, 2}, {6, 12}}));
  EXPECT_EQ(path_of(graph, "node.3", "node.4"), (names{"node.3", "pod 1 edge 0", "node.4"}));
  for (std::size_t v = 0; v < num_vertices(graph); ++v) {
    const bool is_switch = graph[v].is == network_vertex::kind::middle;
    EXPECT_EQ(out_degree(v, graph), is_switch ? 4u : 1u) << graph[v].name;
  }
}

// A ring of k switches, k even, has distances of k / 4 on average, a torus of d rings d k / 4 and d links a switch; see
// Dally and Towles, "Principles and Practices of Interconnection Networks", Section 5.2.
TEST(topology, of_a_torus_has_the_distances_of_theory) {
  for (const auto& [sides, count, mean] : {std::tuple{"width = 8", 8, 2.0},
                                           {"width = 4, height = 4", 16, 2.0},
                                           {"width = 4, height = 6, depth = 4", 96, 3.5}}) {
    const network_graph graph =
        make_network_graph(servers_with(fmt::format("{{ topology = \"torus\", {}, latency = 1.0 }}", sides),
                                        fmt::format(R"({{ name = "node", count = {} }})", count)));
    const int rings = count == 8 ? 1 : count == 16 ? 2 : 3;
    EXPECT_EQ(num_edges(graph), static_cast<std::size_t>(rings * count + count + 1)) << sides;
    double hops = 0.0;  // between switches
    for (int n = 0; n < count; ++n)
      hops += static_cast<double>(path_of(graph, "scheduler", fmt::format("node.{}", n)).size()) - 3.0;
    EXPECT_DOUBLE_EQ(hops / count, mean) << sides;
  }
}

TEST(topology, of_a_torus_of_two_switches_joins_them_once) {
  const network_graph graph = make_network_graph(servers_with("{ topology = \"torus\", width = 2, latency = 1.0 }"));
  EXPECT_EQ(num_edges(graph), 1u + 1 + 6);
  EXPECT_EQ(path_of(graph, "node.2", "node.3"), (names{"node.2", "switch 0", "switch 1", "node.3"}));
}

// Kim et al., ISCA 2008: of g = a h + 1 groups each two are joined by one link, and a way between groups has at most
// one link within each and one between them.
TEST(topology, of_a_whole_dragonfly_joins_each_two_groups_once) {
  constexpr std::size_t routers_each = 4, links = 2, groups = routers_each * links + 1, all = groups * routers_each;
  const network_graph graph = make_network_graph(
      servers_with("{ topology = \"dragonfly\", groups = 9, routers = 4, global_links = 2, latency = 1.0 }",
                   R"({ name = "node", count = 72 })"));
  EXPECT_EQ(num_edges(graph), groups * 6 + groups * (groups - 1) / 2 + 1 + 72);
  std::map<std::pair<std::size_t, std::size_t>, int> joined;
  for (const auto e : boost::make_iterator_range(edges(graph)))
    if (const std::size_t from = source(e, graph), to = target(e, graph); from < all && to < all)
      if (from / routers_each != to / routers_each) ++joined[std::minmax(from / routers_each, to / routers_each)];
  EXPECT_EQ(joined.size(), groups * (groups - 1) / 2);
  for (std::size_t r = 1; r < all; ++r) EXPECT_EQ(out_degree(r, graph), 3 + links + 2) << "3 within its group";
  EXPECT_EQ(path_of(graph, "node.0", "node.1").size(), 3u) << "two servers at each router";
  for (int n = 2; n < 72; ++n) EXPECT_LE(path_of(graph, "node.0", fmt::format("node.{}", n)).size(), 2u + 4) << n;
}

TEST(topology, of_a_dragonfly_of_few_groups_joins_them_by_all_links_that_divide_evenly) {
  const network_graph graph = make_network_graph(
      servers_with("{ topology = \"dragonfly\", groups = 3, routers = 3, global_links = 2, global_latency = 1.0 }"));
  EXPECT_EQ(num_edges(graph), 3u * 3 + 3 * 3 + 1 + 6) << "three links between each two groups";
  for (std::size_t r = 1; r < 9; ++r) {
    std::size_t at_routers = 0;
    for (const auto e : boost::make_iterator_range(out_edges(r, graph))) at_routers += target(e, graph) < 9;
    EXPECT_EQ(at_routers, 2u + 2) << "router " << r;
  }
}

TEST(topology, of_leaves_and_spines_has_a_way_over_each_spine) {
  const network_graph graph = make_network_graph(
      servers_with("{ topology = \"leaf_spine\", leaves = 2, spines = 3, latency = 1.0, uplink_latency = 2.0, "
                   "uplink_bandwidth = 10.0 }"));
  EXPECT_EQ(num_edges(graph), 3u * 3 + 1 + 6);
  EXPECT_EQ(path_of(graph, "node.2", "node.3"), (names{"node.2", "leaf 0", "spine 0", "leaf 1", "node.3"}));
  EXPECT_EQ(path_of(graph, "scheduler", "node.5").size(), 5u);
  std::vector<arc_share> all;
  const auto latency = routes{graph}.find_all(vertex_of(graph, "node.0"), vertex_of(graph, "node.5"), all);
  EXPECT_EQ(latency, std::optional<ticks>{6'000'000'000}) << "twice 1 and 2 s, in nanoseconds";
  ASSERT_EQ(all.size(), 2u + 2 * 3);
  EXPECT_EQ(std::count_if(all.begin(), all.end(), [](const arc_share& a) { return a.share == 1.0; }), 2);
  EXPECT_EQ(std::count_if(all.begin(), all.end(), [](const arc_share& a) { return a.share == 1.0 / 3.0; }), 6);
}

TEST(topology, without_latency_and_bandwidth_takes_no_time) {
  EXPECT_FALSE(servers_with("{ latency = 0.0 }").network.takes_time());
  EXPECT_FALSE(servers_with("{ topology = \"racks\", racks = 2 }").network.takes_time());
  EXPECT_TRUE(servers_with("{ bandwidth = 1.0 }").network.takes_time());
  EXPECT_TRUE(servers_with("{ topology = \"racks\", racks = 2, uplink_latency = 1.0 }").network.takes_time());
  const std::string dragonfly = "{ topology = \"dragonfly\", groups = 2, routers = 2";
  EXPECT_FALSE(servers_with(dragonfly + " }").network.takes_time());
  EXPECT_TRUE(servers_with(dragonfly + ", global_latency = 1.0 }").network.takes_time());
}

}  // namespace
}  // namespace muster
