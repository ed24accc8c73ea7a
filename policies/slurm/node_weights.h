#pragma once

#include <vector>

#include "muster/policies/slurm/node_table.h"

namespace muster {

/// How much Slurm prefers each node: by the free devices there that a job could use.
///
/// The test of a job that needs devices sets the weights of the nodes that have some, and Slurm keeps them with the
/// nodes. They count for the jobs that are tested later, those without devices included, until a job is submitted or
/// started, or a main pass tests one: its nodes have no weight then, and where it needs devices, those by this test.
class node_weights {
 public:
  /// @param nodes outlives the object
  explicit node_weights(const node_table& nodes) : nodes_(nodes), weights_(nodes.size()) {}

  /// The weight of a node: the higher, the rather it is taken.
  unsigned operator[](std::size_t node) const { return weights_[node]; }
  /// Whether some node has one.
  bool any() const { return weighted_ > 0; }
  void clear(const node_set& nodes) {
    if (any()) nodes.for_each([&](std::size_t node) { set(node, 0); });
  }
  /// Takes a test of a job into account that finds so much free on a node.
  void test(class_id type, std::size_t node, const amounts& free) {
    if (const unsigned devices = nodes_.room_of_devices(type, node, free); devices > 0) set(node, devices);
  }
  /// Takes a test of a job into account that looks at some nodes as if they were idle.
  void test_idle(class_id type, const node_set& nodes) {
    if (!nodes_.needs_devices(type)) return;
    nodes.for_each([&](std::size_t node) { test(type, node, nodes_.all(node)); });
  }

 private:
  void set(std::size_t node, unsigned weight) {
    if (weights_[node] == 0 && weight > 0) ++weighted_;
    if (weights_[node] > 0 && weight == 0) --weighted_;
    weights_[node] = weight;
  }

  const node_table& nodes_;
  std::vector<unsigned> weights_;
  std::size_t weighted_ = 0;  // nodes with a weight
};

}  // namespace muster
