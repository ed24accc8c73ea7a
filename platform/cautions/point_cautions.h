#pragma once

#include <vector>

#include "platform/cautions/measured_window.h"
#include "platform/metrics/estimate.h"
#include "platform/model/scenario.h"
#include "platform/theory/stability/stability.h"

namespace muster {

/// Whether a few jobs dominate an estimate in a run of any length. Such are:
/// - the mean of response time over size, where sizes have many small values (probability_law::small_times);
/// - a mean of times, of jobs in the system or their service rate, where the third moment of some class's sizes is
///   infinite: the waiting time of M/G/1 has no finite variance then (Kleinrock, Queueing Systems I, 1975, 5.7).
bool is_heavy_mean(const estimate& e, const scenario& study_point);

/// What all estimates of a point are marked with, by what is known of the point and what its replications have found:
/// caution::unstable, caution::growing, caution::short_window and caution::heavy.
class point_cautions {
 public:
  /// @param model with the warm-up that a pilot has found, if it was to find one
  /// @param limits of the point, by examine_stability()
  point_cautions(const scenario& model, const stability& limits, const measured_point& found);

  bool is_unstable() const { return unstable_; }
  /// Whether the queue grows through the windows. Such a point is not called short.
  bool is_growing() const { return growing_; }
  bool is_short() const { return short_; }
  /// The window, with what the replications have found in it.
  const measured_window& window() const { return window_; }

  /// Marks estimates of the point.
  void mark(std::vector<estimate>& estimates, const scenario& model) const;

 private:
  measured_window window_;
  bool unstable_, growing_, short_;
};

}  // namespace muster
