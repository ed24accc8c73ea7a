#pragma once

#include <cstdint>
#include <optional>
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

/// An arc of several equal paths, and which part of them leads over it.
struct arc_share {
  network_arc arc = 0;
  double share = 1.0;  ///< above 0, at most 1
};

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

  /// Finds all shortest paths, over each of which the same part leads. The ways there and back have the same shares of
  /// an edge.
  /// @param arcs replaced by those of the paths; empty if the vertices are the same
  /// @return the latency of each of them; none: there is no path
  std::optional<ticks> find_all(std::size_t from, std::size_t to, std::vector<arc_share>& arcs);

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
    ticks latency = 0;    // of that arc
  };
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};
  // The length of a path: its latency, and among equal ones its edges.
  struct distance {
    ticks latency = 0;
    std::uint32_t edges = 0;
    bool operator<(const distance& other) const {
      return latency < other.latency || (latency == other.latency && edges < other.edges);
    }
    distance plus(const distance& more) const;
  };
  // The distance of an inner vertex to a root, and the number of paths of that length.
  struct reach {
    distance to_root;
    double paths = 0.0;  // 0: there is none
  };
  // An inner vertex while the paths from another one are split.
  struct passage {
    std::uint32_t vertex;
    distance to_root;
  };
  using edge = network_graph::edge_descriptor;

  const tree& towards(std::uint32_t root);
  const std::vector<reach>& all_towards(std::uint32_t root);
  void split(std::uint32_t from, std::uint32_t root, std::vector<arc_share>& arcs);
  std::vector<distance> distances_to(std::uint32_t root, std::vector<edge>& arrived_by) const;
  bool leads_on(const edge& e, std::uint32_t from, std::uint32_t to, const std::vector<reach>& reached) const;

  std::vector<position> vertices_;
  std::vector<std::size_t> inner_;  // numbers of the inner vertices in the whole graph
  network_graph between_;           // the inner vertices, and the edges between them
  std::unordered_map<std::uint32_t, tree> trees_;
  std::unordered_map<std::uint32_t, std::vector<reach>> reaches_;  // by root, of find_all()
  std::vector<double> flow_;                                       // by inner vertex, while paths are split
  std::vector<passage> passed_;
};

}  // namespace muster
