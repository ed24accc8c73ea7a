#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "muster/modules/network/network_graph.h"
#include "muster/policies/server_racks.h"
#include "platform/model/scenario.h"

namespace muster {

/// A network as a file lists it: vertices, of which the servers have the names of network_names(), and edges between
/// positions in `vertices`.
struct listed_network {
  struct vertex {
    std::string name;
    network_vertex::kind is;
  };
  struct edge {
    std::size_t from, to;
    edge_spec with;
  };

  std::vector<vertex> vertices;
  std::vector<edge> edges;
};

/// The servers' names in a network, in their order: that of the entry, with a dot and the number there if the entry has
/// several.
std::vector<std::string> network_names(const scenario& model);

/// Whether there is a network: it takes time, or jobs read and write data.
inline bool has_network(const scenario& model) { return model.network.takes_time() || model.data; }

/// A scenario's network, in ticks. Vertices are the scheduler, the switches, and the servers, which come last except in
/// a network from a file; servers are numbered as they stand in `servers`. Where jobs have data, a storage follows that
/// is joined to the scheduler, unless a file has it.
network_graph make_network_graph(const scenario& model);

/// Whether a topology has racks: leaf switches, or groups of routers, to which servers are joined.
inline bool has_racks(const topology_entry& topology) { return topology.switches_of_rack != nullptr; }
/// The topologies that have racks, as a list of words: "racks, fat_tree or dragonfly".
std::string topologies_with_racks();

/// The racks of a scenario's servers, by the groups of one of its schedulers, or of the only one. Racks are numbered in
/// the order of the servers. Without racks in the network nothing is known.
/// @param scheduler its number; 0: the only one
server_racks racks_of(const scenario& model, std::uint32_t scheduler = 0);

}  // namespace muster
