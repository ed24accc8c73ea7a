#pragma once

#include <cstdint>
#include <string>

#include <boost/graph/adjacency_list.hpp>

#include "muster/policies/job.h"

namespace muster {

/// The scheduler, a switch, or a server.
struct network_vertex {
  enum class kind { scheduler, middle, server };
  kind is = kind::middle;
  std::uint32_t server = 0;  ///< of a server: its place among all servers
  std::string name;          ///< for those who look
};

/// A connection, as fast one way as the other; the two ways do not hinder each other.
struct network_edge {
  ticks latency = 0;
  double ticks_per_byte = 0.0;  ///< 0: its bandwidth has no end
  std::uint32_t number = 0;     ///< place in the order of adding
};

/// What joins the scheduler and the servers. One scheduler; every server is joined to it.
using network_graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, network_vertex, network_edge>;

/// @param ticks_per_byte 0: the bandwidth has no end
inline void add_link(network_graph& graph, std::size_t from, std::size_t to, ticks latency, double ticks_per_byte) {
  const auto number = static_cast<std::uint32_t>(num_edges(graph));
  add_edge(from, to, network_edge{latency, ticks_per_byte, number}, graph);
}

}  // namespace muster
