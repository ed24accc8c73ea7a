#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "muster/modules/network/network_graph.h"
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

}  // namespace muster
