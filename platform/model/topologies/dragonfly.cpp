#include <cmath>

#include <fmt/format.h>

#include "platform/model/network_builder.h"
#include "platform/model/topology_entry.h"

namespace muster {

namespace {

constexpr double most_routers = 5'000;  // routes keep a step from each router to each other one

enum dragonfly_key : std::size_t { groups, routers, global_links, global_latency, global_bandwidth };

std::optional<std::pair<std::string_view, std::string>> objection_to_groups(const std::vector<double>& values,
                                                                            std::uint64_t) {
  const double links = values[routers] * values[global_links], all = values[groups] * values[routers];
  if (values[groups] - 1.0 > links)
    return {{"groups", fmt::format("a group has {} global links, {} for each of {} routers; expected at most {} groups",
                                   links, values[global_links], values[routers], links + 1.0)}};
  if (all > most_routers)
    return {{"groups", fmt::format("a dragonfly of {} groups of {} has {} routers; expected at most {}", values[groups],
                                   values[routers], all, most_routers)}};
  return std::nullopt;
}

edge_spec global_link_of(const network_spec& network) {
  const double latency = network.values[global_latency], bandwidth = network.values[global_bandwidth];
  return {std::isfinite(latency) ? latency : network.link.latency,
          std::isfinite(bandwidth) ? std::optional{bandwidth} : network.link.bandwidth};
}

// Joins each two groups by the same number of links. The k-th link of a group to the group that is d places behind it
// is number k (groups - 1) + d - 1 of the group, and its routers have global_links of these each, in order.
void join_groups(network_builder& network) {
  const std::size_t count = network.whole(groups), each = network.whole(routers), ports = network.whole(global_links);
  if (count == 1) return;
  const std::size_t others = count - 1, between_two = each * ports / others;
  const auto router = [&](std::size_t group, std::size_t behind, std::size_t k) {
    return group * each + (k * others + behind - 1) / ports;
  };
  const edge_spec link = global_link_of(network.network());
  for (std::size_t from = 0; from < count; ++from)
    for (std::size_t to = from + 1; to < count; ++to)
      for (std::size_t k = 0; k < between_two; ++k)
        network.join(router(from, to - from, k), router(to, count - (to - from), k), link);
}

void build_dragonfly(network_builder& network) {
  const std::size_t each = network.whole(routers), all = network.whole(groups) * each;
  for (std::size_t r = 0; r < all; ++r) network.add_switch(fmt::format("group {} router {}", r / each, r % each));
  for (std::size_t first = 0; first < all; first += each)
    for (std::size_t r = first; r < first + each; ++r)
      for (std::size_t other = r + 1; other < first + each; ++other) network.join(r, other);
  join_groups(network);
  network.join(0, network.add_scheduler());
  network.deal_out_servers(0, all);
}

}  // namespace

/// Groups of routers, all joined within a group, and each two groups by as many links as the global links of the
/// routers permit (Kim, Dally, Scott and Abts, ISCA 2008). The scheduler is joined to the first router. The servers are
/// dealt out to the routers in their order, the same number to each or one more to some.
extern const topology_entry dragonfly_topology{
    "dragonfly",
    5,
    [](std::uint64_t) {
      return std::vector<described_key>{
          {"groups", integer_key{1, 1000}, required{}, "groups of routers"},
          {"routers", integer_key{1, 128}, required{}, "routers of each group"},
          {"global_links", integer_key{1, 128}, 1, "links of each router to other groups"},
          {"global_latency", number_key{zero_or_more, "time", clock_limit::range}, left_out{"as latency"},
           "latency of these links"},
          {"global_bandwidth", number_key{above_zero, "bytes/time"}, left_out{"as bandwidth"},
           "bandwidth of these links, each way"}};
    },
    [](const network_spec& network) {
      return std::vector<edge_spec>{network.link, network.link};
    },
    build_dragonfly,
    false,
    objection_to_groups,
    [](const network_spec& network) { return std::vector<edge_spec>{global_link_of(network)}; },
    [](const network_spec& network) { return static_cast<std::size_t>(network.values[routers]); }};

}  // namespace muster
