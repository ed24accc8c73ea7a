#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "muster/modules/network/network_graph.h"
#include "platform/model/scenario.h"

namespace muster {

/// The graph of a scenario's network while its topology adds vertices and edges.
class network_builder {
 public:
  explicit network_builder(const scenario& model);

  const network_spec& network() const { return network_; }
  /// All servers' names, by number.
  const std::vector<std::string>& servers() const { return servers_; }
  /// The value of one of the topology's own keys, by its place among them, that is a whole number.
  std::size_t whole(std::size_t key) const { return static_cast<std::size_t>(network_.values[key]); }

  std::size_t add(network_vertex::kind is, std::string name, std::size_t server = 0);
  std::size_t add_scheduler() { return add(network_vertex::kind::scheduler, "scheduler"); }
  std::size_t add_switch(std::string name) { return add(network_vertex::kind::middle, std::move(name)); }
  std::size_t add_server(std::size_t n) { return add(network_vertex::kind::server, servers_[n], n); }
  void join(std::size_t from, std::size_t to, const edge_spec& e);
  void join(std::size_t from, std::size_t to) { join(from, to, network_.link); }
  /// Adds all servers, in their order, to switches of consecutive vertices: the same number to each or one more to
  /// some.
  void deal_out_servers(std::size_t first_switch, std::size_t switches);
  const network_graph& graph() const { return graph_; }

 private:
  const network_spec& network_;
  time_unit unit_;
  std::vector<std::string> servers_;
  network_graph graph_;
};

}  // namespace muster
