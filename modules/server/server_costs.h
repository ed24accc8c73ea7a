#pragma once

#include <algorithm>

#include "muster/modules/protocol/protocol.h"

namespace muster {

/// Times that a core spends on a slice besides the job's work. In the papers' model all are 0. Each is at most
/// end_of_clock.
struct server_costs {
  ticks dispatch_latency = 0;   ///< at the beginning of every slice
  ticks set_up = 0;             ///< for a job that has never been interrupted
  ticks restore = 0;            ///< for a job that has been interrupted
  ticks migration = 0;          ///< before the restore, where the server does not hold the job's state
  double ticks_per_byte = 0.0;  ///< for a migration, for each byte of the state
  ticks save = 0;               ///< at the end of a slice that was interrupted or stopped, if it had become productive
  ticks sleep_after = end_of_clock;  ///< time after which an idle core sleeps
  ticks wake = 0;                    ///< where one of the slice's cores sleeps: before its other costs, but after the
                                     ///< transfer of a state over a network
  ticks checkpoint = 0;              ///< for each checkpoint of the slice's job, see slice_values::checkpoints

  /// Whether slices may cost time before their work begins.
  bool any_before_work() const {
    return (dispatch_latency | set_up | restore | migration | wake) != 0 || ticks_per_byte > 0.0;
  }
  /// The cost of a slice before its work begins, but for waking.
  ticks before_work(const slice_descriptor& slice) const {
    if (slice.start == slice_start::first) return dispatch_latency + set_up;
    if (slice.start == slice_start::resumed) return dispatch_latency + restore;
    const double transfer = static_cast<double>(slice.state) * ticks_per_byte;
    const auto fetch = static_cast<ticks>(std::min(transfer, static_cast<double>(end_of_clock)));
    return std::min(dispatch_latency + std::min(migration + fetch, end_of_clock) + restore, end_of_clock);
  }
};

}  // namespace muster
