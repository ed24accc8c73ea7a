#pragma once

#include <optional>
#include <vector>

#include <boost/graph/adjacency_list.hpp>

#include "platform/model/scenario.h"

namespace muster {

/// A job class or a group of like servers.
struct compatibility_vertex {
  enum class side { job_class, server_group };
  side kind = side::job_class;
  std::size_t index = 0;  ///< in scenario.classes or scenario.servers
  double load = 0.0;      ///< of a class: core time of capacity 1 (work) that it brings per unit of time
  double capacity = 0.0;  ///< of a group: work that it can do per unit of time
};

/// Bipartite: an edge joins a class to each server group that may run it. Vertices are plain numbers, classes first, so
/// that every walk is in the same order.
using compatibility_graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, compatibility_vertex>;

/// @param work of a job, by class; empty: its mean size
compatibility_graph make_compatibility_graph(const scenario& model, const std::vector<double>& work = {});

/// The compatibility graph with each server a vertex of its own, and each class that draws its servers split into one
/// vertex for every set that a job may draw; all of them carry the index of their class.
/// @param most vertices of classes; none is returned if there would be more
/// @param work of a job, by class; empty: its mean size
std::optional<compatibility_graph> make_split_graph(const scenario& model, std::size_t most,
                                                    const std::vector<double>& work = {});

/// Mean size of a job, by class.
std::vector<double> mean_sizes(const scenario& model);

/// Vertices of classes; they are the first ones.
std::size_t class_vertices(const compatibility_graph& graph);

/// Work per unit of time that a set of classes may use: mu(A) of the balanced-fairness paper, Section 2.
/// @param classes vertices
double capacity_of(const compatibility_graph& graph, const std::vector<std::size_t>& classes);

/// The set of classes with the greatest load in proportion to the capacity of the servers that it may use.
struct bottleneck {
  double load = 0.0;                 ///< of the set over the capacity of its servers; below 1: the work can be done
  std::vector<std::size_t> classes;  ///< vertices; in an unsplit graph positions in scenario.classes
};

/// The set of classes with the largest ratio of load to capacity, by maximum flow and minimum cut.
bottleneck find_bottleneck(const compatibility_graph& graph);

/// The load up to which one class may grow, by maximum flow, the others being kept, until some set that it belongs to
/// has more load than capacity. Zero or less if the others alone overload the class's servers.
/// @param of vertex of that class
double largest_load(const compatibility_graph& graph, std::size_t of);

}  // namespace muster
