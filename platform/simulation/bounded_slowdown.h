#pragma once

#include <algorithm>

#include "platform/model/scenario.h"

namespace muster {

/// The bounded slowdown of jobs: Feitelson et al., Theory and Practice in Parallel Job Scheduling, 1997.
class bounded_slowdown {
 public:
  explicit bounded_slowdown(const scenario& point)
      : least_run_(static_cast<double>(point.unit.to_ticks(point.slowdown_bound()))) {}

  /// @param response, run in ticks @return at least 1
  double of(ticks response, ticks run) const {
    return std::max(1.0, static_cast<double>(response) / std::max(static_cast<double>(run), least_run_));
  }

 private:
  double least_run_;  // in ticks
};

}  // namespace muster
