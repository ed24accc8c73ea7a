#pragma once

#include <cstdint>
#include <vector>

#include "platform/calibration/logged_past.h"

namespace muster {

/// How late jobs of a log start although nothing that the log tells keeps them. Times are in seconds.
struct start_delays {
  /// Times from the arrival to the start, of jobs that find enough cores free and no other job waiting.
  std::vector<double> from_arrival;
  /// Times from the completion that frees enough cores to the start, of jobs before which no other one waits.
  std::vector<double> from_completion;
  std::uint64_t most_cores = 0;  ///< that jobs held at once
};

/// The delays of the jobs of a log that tell their start.
/// @param cores of the machine; fewer than `most_cores`: these are taken
start_delays delays_of(const logged_past& past, std::uint64_t cores);

}  // namespace muster
