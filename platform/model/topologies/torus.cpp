#include <fmt/format.h>

#include "platform/model/network_builder.h"
#include "platform/model/topology_entry.h"

namespace muster {

namespace {

constexpr double most_switches = 5'000;  // routes keep a step from each switch to each other one

std::optional<std::pair<std::string_view, std::string>> objection_to_sides(const std::vector<double>& sides,
                                                                           std::uint64_t) {
  const double switches = sides[0] * sides[1] * sides[2];
  if (switches <= most_switches) return std::nullopt;
  return {{"width", fmt::format("a torus of {} x {} x {} has {} switches; expected at most {}", sides[0], sides[1],
                                sides[2], switches, most_switches)}};
}

void build_torus(network_builder& network) {
  std::size_t switches = 1;
  for (std::size_t key = 0; key < 3; ++key) switches *= network.whole(key);
  for (std::size_t s = 0; s < switches; ++s) network.add_switch(fmt::format("switch {}", s));
  std::size_t stride = 1;  // between neighbours along the side
  for (std::size_t key = 0; key < 3; stride *= network.whole(key++)) {
    const std::size_t side = network.whole(key);
    for (std::size_t s = 0; s < switches; ++s) {
      const std::size_t place = s / stride % side;
      if (place + 1 < side) network.join(s, s + stride);
      if (place + 1 == side && side > 2) network.join(s, s - place * stride);
    }
  }
  network.join(0, network.add_scheduler());
  network.deal_out_servers(0, switches);
}

}  // namespace

/// Switches in a block of three sides, neighbours joined, and the last of a line with its first. The scheduler is
/// joined to the first switch. The servers are dealt out to the switches in their order, the same number to each or one
/// more to some.
extern const topology_entry torus_topology{
    "torus",
    4,
    [](std::uint64_t) {
      return std::vector<described_key>{{"width", integer_key{1, 1000}, required{}, "switches along the first side"},
                                        {"height", integer_key{1, 1000}, 1, "switches along the second side"},
                                        {"depth", integer_key{1, 1000}, 1, "switches along the third side"}};
    },
    [](const network_spec& network) {
      return std::vector<edge_spec>{network.link, network.link};
    },
    build_torus,
    false,
    objection_to_sides};

}  // namespace muster
