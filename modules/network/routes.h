#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "muster/modules/network/network_graph.h"

namespace muster {

/// One direction of an edge: twice the edge's number, plus 1 for the one from the higher vertex number to the lower.
using network_arc = std::uint32_t;

inline network_arc arc_of(const network_edge& e, std::size_t from, std::size_t to) {
  return 2 * e.number + (from > to ? 1 : 0);
}
inline network_arc backwards(network_arc a) { return a ^ 1u; }

/// Shortest paths through a network: those of least latency, and among these those of fewest edges. The choice among
/// equal paths is always the same.
///
/// Dijkstra's algorithm runs over the inner vertices (all but servers that have a single edge), once for each
/// destination that is asked for.
class routes {
 public:
  explicit routes(const network_graph& graph);

  /// Finds a path. @param path replaced by the arcs from one vertex to the other, in their order; empty if they are the
  /// same
  /// @return false: there is no path
  bool find(std::size_t from, std::size_t to, std::vector<network_arc>& path);

 private:
  struct step {
    network_arc arc;
    std::uint32_t next;  // inner vertex; nowhere: there is no path
  };
  using tree = std::vector<step>;  // for each inner vertex, its step towards the root
  // The position of a vertex: an inner one itself, or an end and the inner vertex of its edge.
  struct position {
    std::uint32_t inner = nowhere;
    bool end = false;
    network_arc out = 0;  // arc from an end to the inner vertex
  };
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

  const tree& towards(std::uint32_t root);

  std::vector<position> vertices_;
  std::vector<std::size_t> inner_;  // numbers of the inner vertices in the whole graph
  network_graph between_;           // the inner vertices, and the edges between them
  std::unordered_map<std::uint32_t, tree> trees_;
};

}  // namespace muster
