#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "muster/modules/network/network_graph.h"
#include "platform/scenario/named_file.h"
#include "platform/scenario/scenario.h"

namespace muster {

/// A network as it stands in a file: names, whatever they mean in a scenario.
struct network_file : named_file {
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

/// Reads a network from a text: the first graph of a GraphML file, in which every vertex has the string properties
/// `name` and `kind` (scheduler, switch or server), and every edge may have the numbers `latency` and `bandwidth`.
network_file parse_network(std::string path, std::string content);

/// What a network calls a server: the name of its entry, and behind a dot its number there if the entry has several.
std::string network_name(const server_spec& entry, std::uint32_t number);

}  // namespace muster
