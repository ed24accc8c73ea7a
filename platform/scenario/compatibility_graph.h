#pragma once

#include <vector>

#include <boost/graph/adjacency_list.hpp>

#include "platform/scenario/scenario.h"

namespace muster {

/// A job class or a group of like servers.
struct compatibility_vertex {
  enum class side { job_class, server_group };
  side kind = side::job_class;
  std::size_t index = 0;  ///< in scenario.classes or scenario.servers
  double load = 0.0;      ///< of a class: core time that it brings per unit of time
  double capacity = 0.0;  ///< of a group: core time that it gives per unit of time
};

/// Bipartite: an edge joins a class to each server group that may run it. Vertices are plain numbers, classes first, so
/// that every walk is in the same order.
using compatibility_graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, compatibility_vertex>;

compatibility_graph make_compatibility_graph(const scenario& what);

/// The set of classes that presses hardest on the servers it may use.
struct bottleneck {
  double load = 0.0;                 ///< of the set over the capacity of its servers; below 1: the work can be done
  std::vector<std::size_t> classes;  ///< positions in scenario.classes
};

/// By maximum flow and minimum cut: the largest ratio of load to capacity over all sets of classes.
bottleneck find_bottleneck(const compatibility_graph& graph);

}  // namespace muster
