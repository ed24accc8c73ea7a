// What an event costs where messages share edges fairly: 1,000 messages between random servers are always under way on
// a fat tree of 1,024 places. An event is the beginning or the end of one.
//
// sharing_benchmark [EVENTS] [PORTS] [MESSAGES]

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <vector>

#include "muster/modules/network/network.h"

namespace muster {
namespace {

using kind = network_vertex::kind;

/// A fat tree of switches with so many ports; see the topology of that name. The scheduler has the first place.
network_graph fat_tree(std::size_t ports) {
  const std::size_t half = ports / 2;
  network_graph graph;
  const auto add = [&](kind is, std::size_t server) {
    return add_vertex(network_vertex{is, static_cast<std::uint32_t>(server), ""}, graph);
  };
  std::vector<std::size_t> top, above(half);
  for (std::size_t n = 0; n < half * half; ++n) top.push_back(add(kind::middle, 0));
  std::size_t place = 0;
  for (std::size_t pod = 0; pod < ports; ++pod) {
    for (std::size_t a = 0; a < half; ++a) {
      above[a] = add(kind::middle, 0);
      for (std::size_t t = 0; t < half; ++t) add_link(graph, top[a * half + t], above[a], 1, 1.0);
    }
    for (std::size_t e = 0; e < half; ++e) {
      const std::size_t edge = add(kind::middle, 0);
      for (const std::size_t a : above) add_link(graph, a, edge, 1, 1.0);
      for (std::size_t n = 0; n < half; ++n, ++place)
        add_link(graph, edge, place == 0 ? add(kind::scheduler, 0) : add(kind::server, place - 1), 1, 1.0);
    }
  }
  return graph;
}

/// Sends a message whenever one has arrived.
class steady_traffic final : private timer_observer {
 public:
  steady_traffic(timekeeper& time, std::size_t ports, unsigned messages, std::uint64_t events)
      : time_(time), roads_(time, {fat_tree(ports), 0, 0, sharing_rule::max_min}), left_(events / 2) {
    for (std::uint32_t n = 0; n < messages; ++n) send(n);
  }

 private:
  void send(std::uint32_t n) {
    const std::uint32_t servers = roads_.server_count();
    const std::uint32_t from = below(servers), to = (from + 1 + below(servers - 1)) % servers;
    const auto bytes = static_cast<std::uint64_t>(std::exponential_distribution<>{1e-6}(random_)) + 1;
    roads_.sharing().send(time_.now() + 1, roads_.vertex_of(from), roads_.vertex_of(to), bytes, *this, n);
  }
  void expired(ticks, std::uint32_t cookie) override {
    if (--left_ == 0) return time_.stop();
    send(cookie);
  }
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }

  timekeeper& time_;
  network roads_;
  std::mt19937 random_{1};
  std::uint64_t left_;
};

}  // namespace
}  // namespace muster

int sc_main(int, char**) { return EXIT_FAILURE; }  // wanted by libsystemc, never called

int main(int argc, char** argv) {
  setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 1);
  const auto given = [&](int place, long otherwise) {
    return argc > place ? static_cast<unsigned>(std::atol(argv[place])) : static_cast<unsigned>(otherwise);
  };
  const unsigned events = given(1, 20'000), ports = given(2, 16), messages = given(3, 1'000);
  muster::timekeeper time{"time"};
  muster::steady_traffic traffic{time, ports, messages, events};
  const std::clock_t begin = std::clock();
  sc_core::sc_start();
  const double microseconds = 1e6 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  std::printf("%u messages on a fat tree of %u places: %.1f us of processor time an event\n", messages,
              ports * ports * ports / 4, microseconds / events);
  return EXIT_SUCCESS;
}
