#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <simgrid/s4u.hpp>

#include "muster/modules/network/sharing/max_min_rates.h"

// Ends of transfers beside those of SimGrid: random sets of flows over random links, without latency, with SimGrid's
// factors of bandwidth off. The sets share a simulation there, but no link.

namespace muster {
namespace {

namespace s4u = simgrid::s4u;

struct transfer {
  std::vector<std::uint32_t> links;
  double bytes;
};
struct transfer_set {
  std::vector<double> bandwidths;
  std::vector<transfer> transfers;
};

std::vector<transfer_set> random_sets(std::size_t count) {
  std::mt19937 random{5};
  const auto below = [&](std::size_t bound) { return static_cast<std::uint32_t>(random() % bound); };
  std::vector<transfer_set> sets(count);
  for (transfer_set& s : sets) {
    const std::uint32_t links = 3 + below(10);
    for (std::uint32_t l = 0; l < links; ++l) s.bandwidths.push_back(1e6 * (1 + below(20)));
    const std::uint32_t transfers = 2 + below(25);
    for (std::uint32_t t = 0; t < transfers; ++t) {
      transfer fresh{{}, 1e6 * (1 + below(100))};
      for (std::uint32_t l = 0; l < links; ++l)
        if (below(links) < 3) fresh.links.push_back(l);
      if (fresh.links.empty()) fresh.links.push_back(below(links));
      s.transfers.push_back(fresh);
    }
  }
  return sets;
}

// When each transfer of a set ends if all begin at 0.
std::vector<double> ends_of(const transfer_set& s) {
  max_min_rates rates{s.bandwidths};
  std::vector<max_min_rates::flow> flows;
  std::vector<double> left, ends(s.transfers.size());
  for (const transfer& t : s.transfers) {
    std::vector<max_min_rates::use> uses;
    for (const std::uint32_t l : t.links) uses.push_back({l, 1.0});
    flows.push_back(rates.add(uses));
    left.push_back(t.bytes);
  }
  double now = 0.0;
  for (std::size_t ended = 0; ended < ends.size();) {
    rates.update();
    double next = std::numeric_limits<double>::infinity();
    for (std::size_t t = 0; t < ends.size(); ++t)
      if (left[t] > 0.0) next = std::min(next, left[t] / rates.rate(flows[t]));
    now += next;
    for (std::size_t t = 0; t < ends.size(); ++t) {
      if (left[t] <= 0.0) continue;
      left[t] -= next * rates.rate(flows[t]);
      if (left[t] > 1e-3) continue;
      left[t] = 0.0;
      ends[t] = now;
      rates.remove(flows[t]);
      ++ended;
    }
  }
  return ends;
}

// The transfers in SimGrid: a pair of hosts for each of them, and its links between the two.
std::vector<std::vector<double>> ends_in_simgrid(const std::vector<transfer_set>& sets) {
  int count = 4;
  char program[] = "simgrid", model[] = "--cfg=network/model:CM02", window[] = "--cfg=network/TCP-gamma:0",
       quiet[] = "--log=root.thres:warning";
  char* arguments[] = {program, model, window, quiet, nullptr};
  s4u::Engine engine{&count, arguments};
  s4u::NetZone* const zone = s4u::create_full_zone("all");
  std::vector<std::vector<double>> ends(sets.size());
  for (std::size_t n = 0; n < sets.size(); ++n) {
    const transfer_set& s = sets[n];
    ends[n].resize(s.transfers.size());
    std::vector<const s4u::Link*> links;
    for (std::size_t l = 0; l < s.bandwidths.size(); ++l) {
      const std::string name = "link " + std::to_string(n) + " " + std::to_string(l);
      links.push_back(zone->create_link(name, s.bandwidths[l])->set_latency(0.0)->seal());
    }
    for (std::size_t t = 0; t < s.transfers.size(); ++t) {
      const std::string name = std::to_string(n) + " " + std::to_string(t);
      s4u::Host* const from = zone->create_host("from " + name, 1e9)->seal();
      s4u::Host* const to = zone->create_host("to " + name, 1e9)->seal();
      std::vector<s4u::LinkInRoute> way;
      for (const std::uint32_t l : s.transfers[t].links) way.emplace_back(links[l]);
      zone->add_route(from->get_netpoint(), to->get_netpoint(), nullptr, nullptr, way, false);
      const auto bytes = static_cast<std::uint64_t>(s.transfers[t].bytes);
      s4u::Actor::create("send " + name, from, [from, to, bytes, &end = ends[n][t]] {
        s4u::Comm::sendto(from, to, bytes);
        end = s4u::Engine::get_clock();
      });
    }
  }
  zone->seal();
  engine.run();
  return ends;
}

TEST(max_min_rates, let_transfers_end_when_simgrid_does_within_a_hundredth) {
  const std::vector<transfer_set> sets = random_sets(50);
  const std::vector<std::vector<double>> expected = ends_in_simgrid(sets);
  for (std::size_t n = 0; n < sets.size(); ++n) {
    const std::vector<double> ends = ends_of(sets[n]);
    for (std::size_t t = 0; t < ends.size(); ++t)
      EXPECT_NEAR(ends[t], expected[n][t], 0.01 * expected[n][t]) << "set " << n << ", transfer " << t;
  }
}

}  // namespace
}  // namespace muster
