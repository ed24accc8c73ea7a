#include "muster/modules/network/sharing/max_min.h"

#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "muster/modules/network/network.h"
#include "tests/modules/scene.h"

// Messages that share edges fairly, traced by hand and by a plain loop.

namespace muster {
namespace {

using kind = network_vertex::kind;
using arrivals = std::map<std::uint32_t, ticks>;

std::size_t add(network_graph& graph, kind is, std::uint32_t server = 0) {
  return add_vertex(network_vertex{is, server, ""}, graph);
}

network_settings fair(network_graph graph, std::uint64_t message_bytes = 0) {
  return {std::move(graph), 0, message_bytes, sharing_rule::max_min};
}

/// Switches of four ports: 4 pods of 2 switches above 2 with 2 places each, under 4 switches. The scheduler has the
/// first place; place n > 0 is server n - 1. Every edge has a latency of 1 and carries a byte in a tick.
network_graph fat_tree_of_4_ports() {
  network_graph graph;
  std::vector<std::size_t> top;
  for (int n = 0; n < 4; ++n) top.push_back(add(graph, kind::middle));
  std::uint32_t place = 0;
  for (int pod = 0; pod < 4; ++pod) {
    const std::size_t above[] = {add(graph, kind::middle), add(graph, kind::middle)};
    for (std::size_t n = 0; n < 4; ++n) add_link(graph, top[n], above[n / 2], 1, 1.0);
    for (int edge = 0; edge < 2; ++edge) {
      const std::size_t below = add(graph, kind::middle);
      for (const std::size_t a : above) add_link(graph, a, below, 1, 1.0);
      for (int n = 0; n < 2; ++n, ++place)
        add_link(graph, below, place == 0 ? add(graph, kind::scheduler) : add(graph, kind::server, place - 1), 1, 1.0);
    }
  }
  return graph;
}

/// Two leaves with two servers each and two spines; a server's edge carries a byte in a tick, every other edge one in
/// two. The scheduler is at the first leaf.
network_graph two_leaves() {
  network_graph graph;
  const std::size_t spines[] = {add(graph, kind::middle), add(graph, kind::middle)};
  for (std::uint32_t leaf = 0; leaf < 2; ++leaf) {
    const std::size_t at = add(graph, kind::middle);
    for (const std::size_t s : spines) add_link(graph, at, s, 3, 2.0);
    for (std::uint32_t n = 0; n < 2; ++n) add_link(graph, at, add(graph, kind::server, 2 * leaf + n), 1, 1.0);
    if (leaf == 0) add_link(graph, at, add(graph, kind::scheduler), 1, 1.0);
  }
  return graph;
}

/// Notes when what comes.
struct letter_box final : timer_observer {
  arrivals came;
  void expired(ticks now, std::uint32_t cookie) override { came[cookie] = now; }
};

/// The bytes that have passed each arc, and whether it was occupied twice at once.
struct bytes_on_arcs final : network_observer {
  std::map<network_arc, std::uint64_t> bytes;
  std::map<network_arc, ticks> until;
  void edge_occupied(network_arc arc, ticks begins, ticks ends, std::uint64_t of_all) override {
    bytes[arc] += of_all;
    EXPECT_LE(until[arc], begins);
    until[arc] = ends;
  }
};

TEST(max_min_sharing, gives_messages_on_one_edge_equal_parts_of_it) {
  network_graph graph;
  add_link(graph, add(graph, kind::scheduler), add(graph, kind::server), 5, 2.0);
  timekeeper time{"time"};
  network roads{time, fair(graph)};
  letter_box box;
  roads.send(0, 0, network::towards::server, 10, box, 0);
  roads.send(4, 0, network::towards::server, 3, box, 1);
  roads.send(4, 0, network::towards::scheduler, 3, box, 2);
  roads.send(4, 0, network::towards::server, 0, box, 3);
  sc_core::sc_start();
  // 2 bytes of the first by 4; then a quarter of a byte in a tick for both until 16; then 5 bytes alone until 26. The
  // other direction is free: 4 to 10. What has no bytes passes at once.
  EXPECT_EQ(box.came, (arrivals{{0, 31}, {1, 21}, {2, 15}, {3, 9}}));
}

TEST(max_min_sharing, sends_over_edges_in_series_at_once_with_the_rate_of_the_slowest) {
  network_graph graph;
  const std::size_t root = add(graph, kind::scheduler), middle = add(graph, kind::middle);
  add_link(graph, root, middle, 10, 3.0);
  add_link(graph, middle, add(graph, kind::server), 100, 2.0);
  timekeeper time{"time"};
  network roads{time, fair(graph)};
  letter_box box;
  roads.send(0, 0, network::towards::server, 4, box, 0);
  roads.send(200, 0, network::towards::scheduler, 4, box, 1);
  sc_core::sc_start();
  EXPECT_EQ(box.came, (arrivals{{0, 12 + 110}, {1, 200 + 12 + 110}}));
}

// Along two edges, each with another message of its own.
TEST(max_min_sharing, of_a_parking_lot_is_that_by_hand) {
  network_graph graph;
  const std::size_t root = add(graph, kind::scheduler), middle = add(graph, kind::middle);
  const std::size_t far = add(graph, kind::middle);
  add_link(graph, root, middle, 0, 1.0);
  add_link(graph, middle, far, 0, 1.0);
  for (std::uint32_t n = 0; n < 2; ++n) add_link(graph, n == 0 ? middle : far, add(graph, kind::server, n), 7, 0.0);
  timekeeper time{"time"};
  network roads{time, fair(graph)};
  letter_box box;
  roads.send(0, 1, network::towards::server, 100, box, 0);
  roads.send(0, 0, network::towards::server, 20, box, 1);
  roads.sharing().send(0, roads.vertex_of(0), roads.vertex_of(1), 60, box, 2);
  sc_core::sc_start();
  // Half a byte in a tick each: the second ends at 40, the third at 120, when the first has 40 bytes left. It is slowed
  // down by the third, and does not become faster when the second ends.
  EXPECT_EQ(box.came, (arrivals{{0, 160 + 7}, {1, 40 + 7}, {2, 120 + 14}}));
}

TEST(max_min_sharing, lets_a_fat_tree_carry_what_all_places_can_send) {
  timekeeper time{"time"};
  network roads{time, fair(fat_tree_of_4_ports())};
  letter_box box;
  for (std::uint32_t place = 1; place < 16; ++place)  // each to the second pod from its own
    if (place != 8)
      roads.sharing().send(0, roads.vertex_of(place - 1), roads.vertex_of((place + 8) % 16 - 1), 300, box, place);
  sc_core::sc_start();
  EXPECT_EQ(box.came.size(), 14u);
  for (const auto& [n, at] : box.came) EXPECT_EQ(at, 300u + 6) << n;
}

TEST(max_min_sharing, of_a_fat_tree_is_that_by_hand) {
  timekeeper time{"time"};
  network roads{time, fair(fat_tree_of_4_ports())};
  letter_box box;
  for (const std::uint32_t from : {3u, 7u, 11u})
    roads.sharing().send(0, roads.vertex_of(from), roads.vertex_of(0), 300, box, from);
  roads.sharing().send(0, roads.vertex_of(3), roads.vertex_of(1), 300, box, 100);
  sc_core::sc_start();
  // A third of a byte in a tick to the server that three send to; what the edge of server 3 has left, two thirds, to
  // the other one.
  EXPECT_EQ(box.came, (arrivals{{3, 900 + 6}, {7, 900 + 6}, {11, 900 + 6}, {100, 450 + 6}}));
}

TEST(max_min_sharing, splits_a_message_over_all_equal_paths) {
  timekeeper time{"time"};
  network roads{time, fair(two_leaves())};
  letter_box box;
  bytes_on_arcs watch;
  roads.observe(watch);
  roads.sharing().send(0, roads.vertex_of(0), roads.vertex_of(2), 100, box, 0);
  roads.sharing().send(1000, roads.vertex_of(0), roads.vertex_of(2), 100, box, 1);
  roads.sharing().send(1000, roads.vertex_of(1), roads.vertex_of(3), 100, box, 2);
  sc_core::sc_start();
  EXPECT_EQ(box.came, (arrivals{{0, 100 + 8}, {1, 1200 + 8}, {2, 1200 + 8}})) << "two halves; then both at half of it";
  std::multiset<std::uint64_t> bytes;
  for (const auto& [arc, sum] : watch.bytes) bytes.insert(sum);
  EXPECT_EQ(bytes, (std::multiset<std::uint64_t>{100, 100, 150, 150, 150, 150, 200, 200}));
}

TEST(max_min_sharing, fetches_state_after_a_request) {
  timekeeper time{"time"};
  network roads{time, fair(two_leaves(), 8)};
  letter_box box;
  roads.fetch(0, 2, 100, box, 7);
  roads.forget(roads.fetch(3, 1, 1000, box, 8));
  sc_core::sc_start();
  // Requests of 8 bytes go both ways and do not share an edge. Nor do the states.
  EXPECT_EQ(box.came, (arrivals{{7, 8 + 8 + 100 + 8}}));
  EXPECT_EQ(time.now(), 8u + 8 + 1000 + 8);
}

/// Messages in a plain loop, without ticks: from one beginning or end to the next, with rates filled anew.
class plain_loop {
 public:
  struct message {
    double begins = 0.0, left = 0.0;
    std::vector<arc_share> way;
  };

  explicit plain_loop(std::vector<double> capacities) : capacities_(std::move(capacities)) {}

  /// When the last byte of each message is sent.
  std::vector<double> ends_of(std::vector<message> all) {
    std::vector<double> ends(all.size());
    const double never = std::numeric_limits<double>::infinity();
    double now = 0.0;
    for (;;) {
      std::vector<std::size_t> flowing;
      double next = never;
      for (std::size_t m = 0; m < all.size(); ++m) {
        if (all[m].begins > now) next = std::min(next, all[m].begins);
        if (all[m].begins <= now && all[m].left > 0.0) flowing.push_back(m);
      }
      if (flowing.empty() && next == never) return ends;
      const std::vector<double> rates = rates_of(all, flowing);
      for (std::size_t f = 0; f < flowing.size(); ++f) next = std::min(next, now + all[flowing[f]].left / rates[f]);
      for (std::size_t f = 0; f < flowing.size(); ++f) {
        message& m = all[flowing[f]];
        m.left -= rates[f] * (next - now);
        if (m.left > 1e-6) continue;
        m.left = 0.0;
        ends[flowing[f]] = next;
      }
      now = next;
    }
  }

 private:
  std::vector<double> rates_of(const std::vector<message>& all, const std::vector<std::size_t>& flowing) const {
    std::vector<double> rates(flowing.size(), -1.0), left = capacities_;
    for (std::size_t found = 0; found < flowing.size();) {
      std::vector<double> shares(left.size());
      for (std::size_t f = 0; f < flowing.size(); ++f)
        if (rates[f] < 0.0)
          for (const arc_share& a : all[flowing[f]].way) shares[a.arc] += a.share;
      const auto level_of = [&](std::size_t f) {
        double least = std::numeric_limits<double>::infinity();
        for (const arc_share& a : all[flowing[f]].way) least = std::min(least, left[a.arc] / shares[a.arc]);
        return least;
      };
      double level = std::numeric_limits<double>::infinity();
      for (std::size_t f = 0; f < flowing.size(); ++f)
        if (rates[f] < 0.0) level = std::min(level, level_of(f));
      std::vector<std::size_t> stay;
      for (std::size_t f = 0; f < flowing.size(); ++f)
        if (rates[f] < 0.0 && level_of(f) <= level * (1.0 + 1e-12)) stay.push_back(f);
      for (const std::size_t f : stay) {
        rates[f] = level;
        ++found;
        for (const arc_share& a : all[flowing[f]].way) left[a.arc] -= a.share * level;
      }
    }
    return rates;
  }

  std::vector<double> capacities_;
};

// Ends are on whole ticks, each at most half of one from its instant: of some 10^7 ticks that a message takes, a few.
TEST(max_min_sharing, lets_random_messages_arrive_when_a_plain_loop_does_and_loses_no_byte) {
  std::mt19937 random{11};
  const auto below = [&](std::uint32_t bound) { return static_cast<std::uint32_t>(random() % bound); };
  network_graph graph = fat_tree_of_4_ports();
  std::vector<double> capacities(2 * num_edges(graph));
  for (const auto e : boost::make_iterator_range(edges(graph))) {
    graph[e].ticks_per_byte = 1.0 + below(4);
    capacities[2 * graph[e].number] = capacities[2 * graph[e].number + 1] = 1.0 / graph[e].ticks_per_byte;
  }
  timekeeper time{"time"};
  network roads{time, fair(graph)};
  letter_box box;
  bytes_on_arcs watch;
  roads.observe(watch);
  routes ways{graph};
  std::vector<plain_loop::message> all;
  std::vector<ticks> latencies;
  std::map<network_arc, double> expected;
  for (std::uint32_t n = 0; n < 300; ++n) {
    const std::uint32_t from = below(15), to = (from + 1 + below(14)) % 15;
    const ticks begins = below(100'000'000);
    const std::uint64_t bytes = 1024 * (1000 + std::uint64_t{below(10'000)});
    plain_loop::message m{static_cast<double>(begins), static_cast<double>(bytes), {}};
    latencies.push_back(*ways.find_all(roads.vertex_of(from), roads.vertex_of(to), m.way));
    for (const arc_share& a : m.way) expected[a.arc] += a.share * m.left;
    all.push_back(m);
    roads.sharing().send(begins, roads.vertex_of(from), roads.vertex_of(to), bytes, box, n);
  }
  sc_core::sc_start();
  const std::vector<double> ends = plain_loop{capacities}.ends_of(all);
  double lasts = 0.0;
  for (std::uint32_t n = 0; n < ends.size(); ++n) {
    EXPECT_NEAR(static_cast<double>(box.came.at(n) - latencies[n]), ends[n], 20.0) << "message " << n;
    lasts += ends[n] - all[n].begins;
  }
  EXPECT_GT(lasts / 300.0, 2e7) << "messages share edges with many others";
  ASSERT_EQ(watch.bytes.size(), expected.size());
  for (const auto& [arc, bytes] : expected) EXPECT_EQ(static_cast<double>(watch.bytes.at(arc)), bytes) << arc;
}

/// Notes the rates that it is told.
struct rate_notes final : rate_observer {
  std::vector<std::pair<ticks, double>> notes;
  void rate_changes(ticks now, std::uint32_t, double rate) override { notes.emplace_back(now, rate); }
};

TEST(max_min_sharing, lets_flows_without_end_share_edges_with_messages) {
  timekeeper time{"time"};
  network roads{time, fair(two_leaves())};
  max_min& fair_share = *roads.fair_sharing();
  letter_box box;
  rate_notes notes;
  std::vector<max_min_rates::use> uses;
  EXPECT_EQ(fair_share.add_way(roads.vertex_of(0), roads.vertex_of(2), 1.0, uses), 8u);
  const shared_edges::flow flow = fair_share.edges().add(uses, 0.75, notes, 0);
  roads.sharing().send(10, roads.vertex_of(1), roads.vertex_of(2), 20, box, 1);
  sc_core::sc_start();
  EXPECT_EQ(notes.notes, (std::vector<std::pair<ticks, double>>{{0, 0.75}, {10, 0.5}, {50, 0.75}}));
  EXPECT_EQ(box.came, (arrivals{{1, 50 + 8}}));
  fair_share.edges().remove(flow);
}

TEST(fairly_networked_cluster, obeys_the_base_protocol_with_gangs) {
  network_graph roads;
  const std::size_t root = add(roads, kind::scheduler), middle = add(roads, kind::middle);
  add_link(roads, root, middle, 3, 0.25);
  for (std::uint32_t n = 0; n < 7; ++n) add_link(roads, middle, add(roads, kind::server, n), 2, 0.5);
  layout l;
  l.needs = {5, 2, 1};
  l.groups = {{"node", 4, 2, 1.0}, {"other", 3, 1, 2.0}};
  l.policy = "first_fit";
  l.roads = &roads;
  l.sharing = sharing_rule::max_min;
  l.monitored = true;
  scene s{l, random_jobs(3000, 3, 30, 40)};
  s.run();
  EXPECT_EQ(s.log.records.size(), 3000u);
}

}  // namespace
}  // namespace muster
