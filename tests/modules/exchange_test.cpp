#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include <fmt/format.h>

#include "tests/modules/scene.h"

// Gangs that exchange data while they work: when jobs are done, by hand and by a loop over all events.

namespace muster {
namespace {

using kind = network_vertex::kind;
using streams = std::vector<server_streams>;

std::size_t add(network_graph& graph, kind is, std::uint32_t server = 0) {
  return add_vertex(network_vertex{is, server, ""}, graph);
}

/// The scheduler in the middle, an edge of the same bandwidth to each server, its two arcs 2 n and 2 n + 1.
network_graph star(std::uint32_t servers, double bytes_per_tick) {
  network_graph graph;
  const std::size_t root = add(graph, kind::scheduler);
  for (std::uint32_t n = 0; n < servers; ++n)
    add_link(graph, root, add(graph, kind::server, n), 0, 1.0 / bytes_per_tick);
  return graph;
}

/// Classes of so many tasks of a core each, each task of a job on a server of its own, on servers whose edges carry 10
/// bytes in a tick.
struct exchange_scene {
  exchange_scene(std::uint32_t servers, std::uint32_t cores, const std::vector<unsigned>& tasks, double bytes,
                 exchange_pattern pattern = exchange_pattern::ring)
      : graph(star(servers, 10.0)) {
    l.groups = {{"node", servers, cores, 1.0, false, false, {cores}}};
    l.roads = &graph;
    l.dispatch_bytes = l.message_bytes = 0;
    l.monitored = true;
    for (const unsigned n : tasks) {
      l.tasks.push_back({n, {1}, {}, 1});
      l.exchange.push_back(class_exchange{pattern, bytes, 1, 1, n});
    }
  }
  std::vector<ticks> ends_of(const std::vector<job_request>& jobs) {
    scene s{l, jobs};
    s.run_until(100'000);
    std::vector<ticks> ends;
    for (std::uint64_t id = 0; id < jobs.size(); ++id) ends.push_back(s.log.of(id).completed);
    return ends;
  }

  network_graph graph;
  layout l;
};

constexpr class_id first{0}, second{1};
using ends = std::vector<ticks>;

TEST(exchange, patterns_have_the_streams_of_their_definitions) {
  EXPECT_EQ(streams_of(exchange_pattern::all_to_all, {2, 1, 3}),
            (streams{{0, 1, 2}, {0, 2, 6}, {1, 0, 2}, {1, 2, 3}, {2, 0, 6}, {2, 1, 3}}));
  EXPECT_EQ(streams_of(exchange_pattern::ring, {2, 1, 3}), (streams{{0, 1, 1}, {1, 2, 1}, {2, 0, 1}}));
  EXPECT_EQ(streams_of(exchange_pattern::ring, {2, 2}), (streams{{0, 1, 1}, {1, 0, 1}}));
  EXPECT_EQ(streams_of(exchange_pattern::neighbours, {2, 1, 3}), (streams{{0, 1, 1}, {1, 0, 1}, {1, 2, 1}, {2, 1, 1}}));
  EXPECT_EQ(streams_of(exchange_pattern::root, {2, 1, 3}), (streams{{0, 1, 1}, {0, 2, 3}, {1, 0, 1}, {2, 0, 3}}));
  EXPECT_EQ(streams_of(exchange_pattern::all_to_all, {4}), streams{});
}

TEST(exchange, of_half_the_bandwidth_lets_a_gang_run_at_full_speed) {
  EXPECT_EQ((exchange_scene{2, 1, {2}, 5.0}.ends_of({{0, first, 1'000}})), ends{1'000});
}

TEST(exchange, of_twice_the_bandwidth_lets_a_gang_run_at_half_speed) {
  EXPECT_EQ((exchange_scene{2, 1, {2}, 20.0}.ends_of({{7, first, 1'000}})), ends{2'007});
}

TEST(exchange, of_all_with_all_takes_the_edges_of_a_server_once_for_each_partner) {
  // Each of 4 tasks sends to 3 others: 12 bytes in a tick.
  EXPECT_EQ((exchange_scene{4, 1, {4}, 4.0, exchange_pattern::all_to_all}.ends_of({{0, first, 1'000}})), ends{1'200});
}

TEST(exchange, with_the_root_is_limited_by_its_edge) {
  EXPECT_EQ((exchange_scene{4, 1, {4}, 10.0, exchange_pattern::root}.ends_of({{0, first, 1'000}})), ends{3'000});
}

TEST(exchange, within_a_server_takes_no_time) {
  exchange_scene one{2, 2, {2}, 1000.0};
  one.l.tasks.front().at_most_per_server = 0;
  one.l.exchange.front()->most_per_server = 0;
  EXPECT_EQ(one.ends_of({{0, first, 1'000}}), ends{1'000});
}

TEST(exchange, between_two_tasks_on_each_server_has_a_stream_for_each_pair) {
  exchange_scene two{2, 2, {4}, 5.0, exchange_pattern::all_to_all};
  two.l.tasks.front().at_most_per_server = 0;
  two.l.exchange.front()->most_per_server = 0;
  EXPECT_EQ(two.ends_of({{0, first, 1'000}}), ends{2'000});  // 4 streams of 5
}

TEST(exchange, of_jobs_that_hold_their_servers_whole_is_that_of_their_tasks) {
  exchange_scene whole{2, 4, {2}, 20.0, exchange_pattern::all_to_all};
  whole.l.tasks.front().exclusive = true;
  EXPECT_EQ(whole.ends_of({{0, first, 1'000}}), ends{2'000});
}

TEST(exchange, of_two_gangs_shares_an_edge) {
  // 40 are done at 40, then both go at half speed, until the first one is complete at 160.
  EXPECT_EQ((exchange_scene{2, 2, {2}, 10.0}.ends_of({{0, first, 100}, {40, first, 100}})), (ends{160, 200}));
}

TEST(exchange, changes_the_speed_of_gangs_when_a_third_one_comes_and_goes) {
  // From 60 to 90 each of three goes at a third: 60 and 20 are done at 90, and 40 and 80 are left.
  EXPECT_EQ((exchange_scene{2, 3, {2}, 10.0}.ends_of({{0, first, 100}, {40, first, 100}, {60, first, 10}})),
            (ends{170, 210, 90}));
}

TEST(exchange, goes_at_the_pace_of_the_slowest_server_if_that_is_less) {
  exchange_scene slow{2, 1, {2}, 20.0};
  slow.l.speeds = {{100, 0, 0.75}, {200, 1, 0.25}};
  EXPECT_EQ(slow.ends_of({{0, first, 200}}), ends{600});  // 100 are done at 200
}

TEST(exchange, of_a_gang_whose_server_is_slow_leaves_its_bandwidth_to_others) {
  exchange_scene slow{4, 2, {3, 2}, 10.0};
  // The first gang is on servers 0, 1 and 2, the second on 0 and 1. From 100 on the first has a quarter of its speed.
  slow.l.speeds = {{100, 2, 0.25}};
  EXPECT_EQ(slow.ends_of({{0, first, 100}, {0, second, 100}}), (ends{300, 167}));  // 50, then 50 / 0.75
}

TEST(exchange, is_faster_on_faster_servers) {
  exchange_scene fast{2, 1, {2}, 10.0};
  fast.l.groups.front().capacity = 2.0;  // 500 ticks that take 20 bytes each
  EXPECT_EQ(fast.ends_of({{0, first, 1'000}}), ends{1'000});
}

TEST(exchange, ends_when_a_gang_is_preempted_and_goes_on_with_it) {
  exchange_scene two{2, 1, {2}, 20.0};
  two.l.policy = "last_come_first_served";
  two.l.tasks.clear();
  two.l.needs = {2};
  EXPECT_EQ(two.ends_of({{0, first, 100}, {100, first, 10}}), (ends{220, 120}));  // 50 are done at 100
}

TEST(exchange, ends_when_a_server_of_a_gang_fails_and_leaves_its_bandwidth_to_others) {
  // Server 2 fails at 100, where the first gang has done 75, and is repaired at 150.
  script faults{{{2, {{100, 50}}}}};
  exchange_scene two{3, 2, {3, 2}, 10.0};
  two.l.faults = &faults;
  two.l.checkpoint = 0;
  // The second one, on servers 0 and 1, has done 25 at 100, 75 at 150, and the rest at half speed.
  EXPECT_EQ(two.ends_of({{0, first, 200}, {50, second, 150}}), (ends{350, 300}));
}

TEST(exchange, pauses_while_a_gang_writes_a_checkpoint) {
  script none{{}};
  exchange_scene two{2, 2, {2}, 10.0};
  two.l.faults = &none;
  two.l.checkpoint = 60;
  two.l.costs.checkpoint = 30;
  // Both have 60 at 120, and 60 + 40 at 230.
  EXPECT_EQ(two.ends_of({{0, first, 100}, {0, first, 100}}), (ends{230, 230}));
}

TEST(exchange, begins_when_the_overhead_has_passed) {
  exchange_scene two{2, 1, {2}, 20.0};
  two.l.costs.set_up = 33;
  EXPECT_EQ(two.ends_of({{0, first, 100}}), ends{233});
}

/// Sends a message to the first server at time 50, and notes when it has come.
struct letter final : timer_observer {
  explicit letter(scene& of) : inner(of) { of.time.arm(50, timer_rank::observation, *this, 0); }
  void expired(ticks now, std::uint32_t sent) override {
    if (sent == 0)
      inner.roads->send(now, 0, network::towards::server, 100, *this, 1);
    else
      came = now;
  }
  scene& inner;
  ticks came = 0;
};

TEST(exchange, shares_an_edge_with_messages) {
  exchange_scene two{2, 1, {2}, 10.0};
  scene s{two.l, {{0, first, 100}}};
  letter message{s};
  s.run();
  EXPECT_EQ(message.came, 70u);  // 100 bytes at 5 in a tick
  EXPECT_EQ(s.log.of(0).completed, 110u);
}

TEST(exchange, sends_the_bytes_of_the_work_over_each_edge) {
  exchange_scene three{3, 2, {3}, 7.0, exchange_pattern::root};
  scene s{three.l, {{0, first, 100'000}, {40'000, first, 60'000}, {70'000, first, 1'000}}};
  s.run();
  const double work = 161'000.0;
  const auto bytes = [&](network_arc a) { return s.exchange->bytes(a, s.time.now()); };
  // Servers have greater vertices than the middle, so that odd arcs lead to the middle.
  for (const network_arc to_middle : {1u, 0u}) {
    EXPECT_NEAR(bytes(to_middle), work * 2 * 7.0, 1e-6 * work);
    EXPECT_NEAR(bytes(2 + to_middle), work * 7.0, 1e-6 * work);
    EXPECT_NEAR(bytes(4 + to_middle), work * 7.0, 1e-6 * work);
  }
}

TEST(exchange, costs_as_much_time_as_gangs_take_longer) {
  exchange_scene two{2, 1, {2}, 20.0};
  scene s{two.l, {{0, first, 100}}};
  s.run();
  EXPECT_NEAR(s.exchange->lost(first, s.time.now()), 2 * 100.0, 1e-6);  // of 2 cores
}

// Racks of servers below switches, and these below the scheduler.
network_graph racks(std::uint32_t servers, std::uint32_t in_rack, double uplink, double link) {
  network_graph graph;
  const std::size_t root = add(graph, kind::scheduler);
  std::vector<std::size_t> switches;
  for (std::uint32_t n = 0; n < servers; n += in_rack) {
    switches.push_back(add(graph, kind::middle));
    add_link(graph, root, switches.back(), 0, 1.0 / uplink);
  }
  for (std::uint32_t n = 0; n < servers; ++n)
    add_link(graph, switches[n / in_rack], add(graph, kind::server, n), 0, 1.0 / link);
  return graph;
}

/// Gangs in the order of arrival on racks, from event to event. Rates are found by filling all edges from zero.
struct plain_racks {
  struct edge_use {
    std::size_t edge;
    double streams;
  };
  struct plain_gang {
    job_request request;
    bool runs = false;
    ticks completed = 0;
    double left = 0.0, pace = 1.0, bytes = 0.0;
    std::vector<std::uint32_t> cores;  // by server
    std::vector<edge_use> uses;
  };
  std::uint32_t servers, cores, in_rack;
  double uplink, link;
  std::vector<unsigned> needs;
  std::vector<class_exchange> exchange;
  std::vector<plain_gang> jobs;
  std::vector<std::uint32_t> idle;
  std::size_t head = 0;

  // Ways up of servers come first, then their ways down, then those of racks.
  std::size_t up(std::uint32_t server) const { return server; }
  std::size_t down(std::uint32_t server) const { return servers + server; }
  std::size_t rack_up(std::uint32_t server) const { return 2 * servers + server / in_rack; }
  std::size_t rack_down(std::uint32_t server) const { return 3 * servers + server / in_rack; }
  double bandwidth(std::size_t edge) const { return edge < 2 * servers ? link : uplink; }

  void find_uses(plain_gang& j, const class_exchange& type) {
    // Tasks one by one.
    std::vector<std::uint32_t> at;
    for (std::uint32_t s = 0; s < servers; ++s) at.insert(at.end(), j.cores[s], s);
    std::vector<double> streams(4 * servers);
    const auto stream = [&](std::size_t from, std::size_t to) {
      const std::uint32_t a = at[from], b = at[to];
      if (a == b) return;
      for (const std::size_t e : {up(a), down(b)}) streams[e] += 1.0;
      if (a / in_rack == b / in_rack) return;
      for (const std::size_t e : {rack_up(a), rack_down(b)}) streams[e] += 1.0;
    };
    for (std::size_t from = 0; from < at.size(); ++from)
      for (std::size_t to = 0; to < at.size(); ++to) {
        if (from == to) continue;
        switch (type.pattern) {
          case exchange_pattern::all_to_all: stream(from, to); break;
          case exchange_pattern::ring:
            if (to == (from + 1) % at.size()) stream(from, to);
            break;
          case exchange_pattern::neighbours:
            if (to == from + 1 || from == to + 1) stream(from, to);
            break;
          case exchange_pattern::root:
            if (from == 0 || to == 0) stream(from, to);
        }
      }
    j.bytes = type.bytes;
    j.uses.clear();
    for (std::size_t e = 0; e < streams.size(); ++e)
      if (streams[e] > 0.0) j.uses.push_back({e, streams[e]});
  }
  void give() {
    for (; head < jobs.size(); ++head) {
      plain_gang& j = jobs[head];
      std::uint32_t left = needs[static_cast<std::size_t>(j.request.type)], free = 0;
      for (const std::uint32_t i : idle) free += i;
      if (j.request.arrival > now || free < left) return;
      j.cores.assign(servers, 0);
      for (std::uint32_t s = 0; s < servers; ++s) {
        j.cores[s] = std::min(idle[s], left);
        idle[s] -= j.cores[s];
        left -= j.cores[s];
      }
      j.left = static_cast<double>(j.request.size);
      j.runs = true;
      find_uses(j, exchange[static_cast<std::size_t>(j.request.type)]);
    }
  }
  // The stream rate of all gangs that may still rise goes up until an edge is full or a gang has its full pace.
  void fill() {
    std::vector<plain_gang*> rising;
    std::vector<double> used(4 * servers);
    for (plain_gang& j : jobs) {
      j.pace = 1.0;
      if (j.runs && !j.uses.empty()) rising.push_back(&j);
    }
    while (!rising.empty()) {
      std::vector<double> streams(4 * servers);
      for (const plain_gang* const j : rising)
        for (const edge_use& u : j->uses) streams[u.edge] += u.streams;
      double level = 1e300;
      const auto level_of = [&](std::size_t e) { return (bandwidth(e) - used[e]) / streams[e]; };
      for (std::size_t e = 0; e < streams.size(); ++e)
        if (streams[e] > 0.0) level = std::min(level, level_of(e));
      for (const plain_gang* const j : rising) level = std::min(level, j->bytes);
      std::vector<plain_gang*> rest, full;
      for (plain_gang* const j : rising) {
        const bool stops = j->bytes <= level || std::any_of(j->uses.begin(), j->uses.end(), [&](const edge_use& u) {
                             return level_of(u.edge) <= level * (1.0 + 1e-12);
                           });
        (stops ? full : rest).push_back(j);
      }
      for (plain_gang* const j : full) {
        j->pace = std::min(1.0, level / j->bytes);
        for (const edge_use& u : j->uses) used[u.edge] += u.streams * level;
      }
      rising = rest;
    }
  }
  void run() {
    idle.assign(servers, cores);
    give();
    fill();
    for (;;) {
      ticks next = ~ticks{0};
      for (const plain_gang& j : jobs) {
        if (j.request.arrival > now) next = std::min(next, j.request.arrival);
        if (j.runs) next = std::min(next, now + static_cast<ticks>(std::floor(j.left / j.pace + 0.5)));
      }
      if (next == ~ticks{0}) return;
      for (plain_gang& j : jobs)
        if (j.runs) j.left -= static_cast<double>(next - now) * j.pace;
      now = next;
      for (plain_gang& j : jobs)
        if (j.runs && std::floor(j.left / j.pace + 0.5) <= 0.0) {
          j.runs = false;
          j.completed = now;
          for (std::uint32_t s = 0; s < servers; ++s) idle[s] += j.cores[s];
          give();
        }
      give();
      fill();
    }
  }
  ticks now = 0;
};

/// A scene of several in one simulation.
struct scene_among_others : sc_core::sc_module {
  scene_among_others(const sc_core::sc_module_name& name, const layout& l, const std::vector<job_request>& jobs)
      : sc_module(name), inner(l, jobs) {}
  scene inner;
};

TEST(exchange, of_random_gangs_on_racks_is_that_of_a_loop_over_all_events) {
  std::mt19937_64 random{5};
  std::vector<plain_racks> plain(100);
  std::vector<network_graph> graphs;
  graphs.reserve(plain.size());
  std::vector<std::unique_ptr<scene_among_others>> scenes;
  for (plain_racks& p : plain) {
    const auto real = [&](double least, double most) {
      return std::uniform_real_distribution<double>{least, most}(random);
    };
    p.servers = 2 + static_cast<std::uint32_t>(random() % 7);
    p.cores = 1 + static_cast<std::uint32_t>(random() % 4);
    p.in_rack = 1 + static_cast<std::uint32_t>(random() % p.servers);
    p.uplink = real(5.0, 40.0);
    p.link = real(5.0, 40.0);
    graphs.push_back(racks(p.servers, p.in_rack, p.uplink, p.link));
    layout l;
    l.groups = {{"node", p.servers, p.cores, 1.0}};
    l.roads = &graphs.back();
    l.dispatch_bytes = l.message_bytes = 0;
    l.monitored = scenes.size() % 2 == 0;
    l.needs.clear();
    const auto all = static_cast<unsigned>(p.servers * p.cores);
    for (unsigned need = all; need > 0 && l.needs.size() < 3; need = static_cast<unsigned>(random() % need))
      l.needs.push_back(need);
    for (std::size_t type = 0; type < l.needs.size(); ++type) {
      p.exchange.push_back({static_cast<exchange_pattern>(random() % 4), real(0.5, 20.0)});
      l.exchange.emplace_back(p.exchange.back());
    }
    p.needs = l.needs;
    const std::vector<job_request> jobs = random_jobs(40, l.needs.size(), 40, 200, static_cast<unsigned>(random()));
    for (const job_request& r : jobs) p.jobs.emplace_back().request = r;
    p.run();
    scenes.push_back(std::make_unique<scene_among_others>(sc_core::sc_gen_unique_name("racks"), l, jobs));
  }
  sc_core::sc_start();
  for (std::size_t n = 0; n < plain.size(); ++n) {
    std::string expected, found;
    for (std::size_t id = 0; id < plain[n].jobs.size(); ++id) {
      expected += fmt::format("{} ", plain[n].jobs[id].completed);
      found += fmt::format("{} ", scenes[n]->inner.log.of(id).completed);
    }
    EXPECT_EQ(found, expected) << "racks " << n;
  }
}

}  // namespace
}  // namespace muster
