#pragma once

#include <cstdint>
#include <string>

#include <boost/graph/adjacency_list.hpp>

#include "muster/policies/job.h"

namespace muster {

/// A vertex of a network: the scheduler, a switch, a server, or the storage that holds what jobs read and write.
struct network_vertex {
  enum class kind { scheduler, middle, server, storage };
  kind is = kind::middle;
  std::uint32_t server = 0;  ///< place of a server among all servers
  std::string name;          ///< for messages and traces; may be empty
};

/// A full-duplex connection. Both directions have the same latency and bandwidth, and are independent.
struct network_edge {
  ticks latency = 0;
  double ticks_per_byte = 0.0;  ///< 0: its bandwidth is infinite
  std::uint32_t number = 0;     ///< place in the order of adding
};

/// The graph of a network: one scheduler, and a path from it to every server. At most one vertex is storage, to which
/// there is a path, too.
using network_graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, network_vertex, network_edge>;

/// Adds an edge. @param ticks_per_byte 0: the bandwidth is infinite
inline void add_link(network_graph& graph, std::size_t from, std::size_t to, ticks latency, double ticks_per_byte) {
  const auto number = static_cast<std::uint32_t>(num_edges(graph));
  add_edge(from, to, network_edge{latency, ticks_per_byte, number}, graph);
}

}  // namespace muster
