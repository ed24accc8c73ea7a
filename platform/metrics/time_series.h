#pragma once

#include <cstddef>

#include "muster/policies/job.h"
#include "platform/metrics/batch_series.h"

namespace muster {

/// Response times, waiting times and times to the start of one class or of all, in the order of completion, for their
/// intervals.
struct time_series {
  static constexpr std::size_t most = 2048;
  batch_series response{1, most}, waiting{1, most}, to_start{1, most};

  /// @param response_time,waiting_time,time_to_start times of one job, in ticks
  void add(ticks response_time, ticks waiting_time, ticks time_to_start) {
    response.add(static_cast<double>(response_time));
    waiting.add(static_cast<double>(waiting_time));
    to_start.add(static_cast<double>(time_to_start));
  }
  void clear() {
    response.clear();
    waiting.clear();
    to_start.clear();
  }
};

}  // namespace muster
