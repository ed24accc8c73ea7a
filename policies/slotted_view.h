#pragma once

#include "muster/policies/cluster_view.h"

namespace muster {

/// The cluster as a policy of slotted jobs sees it. A job waits in slots in which it has no core.
class slotted_view : public cluster_view {
 public:
  using cluster_view::cluster_view;

  /// Cores that can be given to jobs in the slot that begins, whether or not a job holds them now.
  unsigned slot_cores() const { return data_->slot_cores; }
  /// Units that are not complete: the job can use at most as many cores.
  static unsigned units_left(const job& j) { return j.units->worth->units() - j.units->done; }
  /// The utility that a unit adds. @param ahead units to be done before it, less than units_left()
  static double gain(const job& j, unsigned ahead = 0) { return j.units->worth->gain(j.units->done + ahead); }
  /// The largest mean gain over any number of units after those ahead, see utility::steepest().
  static double steepest_gain(const job& j, unsigned ahead = 0) {
    return j.units->worth->steepest(j.units->done + ahead);
  }
};

}  // namespace muster
