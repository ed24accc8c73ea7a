#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "muster/modules/network/network_graph.h"

namespace muster {

/// One way of an edge: twice the edge's number, and one more from the vertex of the higher number to that of the lower.
using network_arc = std::uint32_t;

inline network_arc arc_of(const network_edge& e, std::size_t from, std::size_t to) {
  return 2 * e.number + (from > to ? 1 : 0);
}
inline network_arc backwards(network_arc a) { return a ^ 1u; }

/// Shortest paths through a network: of least latency, and among those of fewest edges. Where several are as good it is
/// the same one every time.
///
/// Dijkstra's algorithm over the vertices that are not mere ends, once for each of them that somebody wants to reach.
class routes {
 public:
  explicit routes(const network_graph& graph);

  /// @param path replaced by the arcs from one vertex to the other, in their order; empty if they are the same
  /// @return false: there is no path
  bool find(std::size_t from, std::size_t to, std::vector<network_arc>& path);

 private:
  struct step {
    network_arc arc;
    std::uint32_t next;  // inner vertex; nowhere: there is no path
  };
  using tree = std::vector<step>;  // by inner vertex, towards the root
  // Where a vertex is: an inner one itself, or an end and the inner one that it hangs on.
  struct whereabouts {
    std::uint32_t inner = nowhere;
    bool end = false;
    network_arc out = 0;  // of an end, to the inner vertex
  };
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

  const tree& towards(std::uint32_t root);

  std::vector<whereabouts> vertices_;
  std::vector<std::size_t> inner_;  // their numbers in the whole graph
  network_graph between_;           // the inner vertices, and the edges among them
  std::unordered_map<std::uint32_t, tree> trees_;
};

}  // namespace muster
