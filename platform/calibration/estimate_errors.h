#pragma once

#include <cstddef>
#include <vector>

#include "platform/calibration/logged_past.h"

namespace muster {

/// How far what users request is from what their jobs run, and what other estimates would miss. Times are in seconds.
struct estimate_errors {
  std::size_t jobs = 0;  ///< that tell a request and a start
  /// Mean absolute errors, of jobs that were not at their limit as of all others.
  double requested = 0.0, learnt = 0.0, factor = 0.0;
  double median_ratio = 1.0;  ///< of run time to request: what `factor` multiplies requests with
  bool knows_users = false;   ///< else nothing is learnt

  /// Times from the limit to the end, of each job that has reached its limit.
  std::vector<double> beyond_limit;
};

/// Holds requests against run times. What is learnt is the mean of the last two run times of the user that had ended
/// when the job arrived, and at most its request, as arrivals.estimate = "learnt" does.
estimate_errors errors_of_estimates(const logged_past& past);

}  // namespace muster
