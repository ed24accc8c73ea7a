#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "platform/scenario/named_file.h"

namespace muster {

/// The first graph of a GraphML file: what its vertices and edges are called, and the like, as it stands there.
struct graphml {
  using properties = std::vector<std::pair<std::string, std::string>>;

  struct edge {
    std::size_t from, to;
    properties with;
  };

  std::vector<properties> vertices;
  std::vector<edge> edges;  ///< directions are ignored

  /// The value of a property, or null.
  static const std::string* find(const properties& all, const std::string& name);
};

/// @param file what cannot be read is added to its flaws
graphml read_graphml(named_file& file);

}  // namespace muster
