#pragma once

#include <algorithm>

#include "muster/modules/protocol/protocol.h"

namespace muster {

/// Time that a core spends on other things than the job's work. All zero: the papers' model. None is above
/// end_of_clock.
struct server_costs {
  ticks dispatch_latency = 0;   ///< from the dispatch to the first step of the slice, at every dispatch
  ticks set_up = 0;             ///< where a job comes that has never been interrupted
  ticks restore = 0;            ///< where a job comes that has
  ticks migration = 0;          ///< where it comes to a server that does not hold its state: before the restore
  double ticks_per_byte = 0.0;  ///< of the state, at a migration
  ticks save = 0;  ///< where a job leaves that has been interrupted or stopped, if it had become productive
  ticks sleep_after = end_of_clock;  ///< cores that have been idle for so long sleep
  ticks wake = 0;  ///< where a slice comes to cores of which one sleeps, before its other costs; a state
                   ///< that comes over a network is awaited first

  /// Whether any slice costs time before its work begins.
  bool any_before_work() const {
    return (dispatch_latency | set_up | restore | migration | wake) != 0 || ticks_per_byte > 0.0;
  }
  ticks before_work(const slice_descriptor& slice) const {
    if (slice.start == slice_start::first) return dispatch_latency + set_up;
    if (slice.start == slice_start::resumed) return dispatch_latency + restore;
    const double transfer = static_cast<double>(slice.state) * ticks_per_byte;
    const auto fetch = static_cast<ticks>(std::min(transfer, static_cast<double>(end_of_clock)));
    return std::min(dispatch_latency + std::min(migration + fetch, end_of_clock) + restore, end_of_clock);
  }
};

}  // namespace muster
