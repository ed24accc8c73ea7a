#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/toml/schema.h"

namespace muster {

class network_builder;
struct edge_spec;
struct network_spec;

/// A shape of the network. A file NAME.cpp of topologies/ defines `const topology_entry NAME_topology`.
struct topology_entry {
  std::string_view name;
  int order;  ///< in lists, ascending; the first is the default
  /// The topology's keys of `platform.link` beside those that all topologies have: integers and numbers.
  /// @param servers how many there are, at least 1
  std::vector<described_key> (*keys)(std::uint64_t servers);
  /// The edges from the scheduler to the nearest server, among which there is one of each kind but those of
  /// `other_edges`; none: nothing is known.
  std::vector<edge_spec> (*way_to_server)(const network_spec& network);
  void (*build)(network_builder& network);
  bool one_distance = false;  ///< the way to every server is the same
  /// The key whose value does not fit so many servers, and why. @param values of the keys; infinite: left out
  std::optional<std::pair<std::string_view, std::string>> (*objection)(const std::vector<double>& values,
                                                                       std::uint64_t servers) = nullptr;
  /// The edges that are of no kind on the way to the nearest server; null: there are none.
  std::vector<edge_spec> (*other_edges)(const network_spec& network) = nullptr;
  /// How many consecutive switches, from the first one to which servers are joined, are a rack; null: there are no
  /// racks.
  std::size_t (*switches_of_rack)(const network_spec& network) = nullptr;
};

/// All topologies, in their order.
const std::vector<const topology_entry*>& topology_catalogue();

}  // namespace muster
