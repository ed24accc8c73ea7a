#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "platform/scenario/named_file.h"

namespace muster {

/// A compatibility graph as it stands in a file: names, whatever they mean in a scenario.
struct graph_file : named_file {
  struct vertex {
    std::string name;
    place where;  ///< GraphML tells none: the file's beginning
  };

  std::vector<vertex> vertices;  ///< in an edge list one for every word
  std::vector<std::pair<std::size_t, std::size_t>> edges;
};

/// Reads a graph from the content.
/// @param graph its path tells the format by its ending. `.graphml`: the first graph of a GraphML file, in which every
///   vertex has a string property `name`; directions are ignored. All others: a list of edges, one a line, two words
///   each; blank lines and what follows `#` are ignored.
void parse_graph(graph_file& graph);

}  // namespace muster
