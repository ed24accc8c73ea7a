#pragma once

#include <vector>

#include "muster/policies/slurm/node_set.h"
#include "muster/policies/ticks.h"

namespace muster {

/// Which nodes reservations leave free, of a backfill pass of Slurm: in slots of time from the pass on, to the end of
/// its window. A reservation takes its nodes whole. Behind the window all nodes are free.
class planned_nodes {
 public:
  /// Forgets all reservations. @param all nodes of the cluster
  void clear(ticks now, ticks window_end, const node_set& all);
  /// Takes nodes from `from` until `until`, as far as that is in the window. Of two slots with the same nodes, one
  /// behind the other, it makes one: of the first two, from the slot before the one in which `from` lies to that from
  /// `until` on.
  void reserve(ticks from, ticks until, const node_set& nodes);

  struct free_nodes {
    /// The end of the first slot behind which usable nodes are free that are not free before; 0: there is none.
    ticks change;
    /// The begin of the first slot that is too late to matter; end_of_clock: there is none.
    ticks beyond;
  };
  /// Finds the nodes that are free from `from` until `until`. A job whose limit ends as a reservation begins is in its
  /// way, as it is in Slurm.
  /// @param usable nodes @param nodes those of them that are free
  free_nodes find_free(ticks from, ticks until, const node_set& usable, node_set& nodes) const;
  /// The end of the first slot, where there are several; else end_of_clock.
  ticks first_change() const { return slots_.size() > 1 ? slots_.front().end : end_of_clock; }
  /// Whether some of the nodes are reserved within [from, until).
  bool overlaps(ticks from, ticks until, const node_set& nodes) const;

 private:
  struct slot {
    ticks begin, end;
    node_set free;
  };
  std::size_t split(ticks at);

  std::vector<slot> slots_;  // one behind the other
};

}  // namespace muster
