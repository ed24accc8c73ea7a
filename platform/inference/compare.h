#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "platform/inference/significance.h"
#include "platform/metrics/estimate.h"
#include "platform/store/stored_run.h"

namespace muster {

/// One metric at one point of two runs.
struct compared_estimate {
  estimate a, b;
  difference apart;         ///< b minus a
  std::optional<double> p;  ///< Holm's p-value, over all that was compared; none: too few replications
  bool differs = false;     ///< whether they differ significantly
};

/// A point that both runs have.
struct compared_point {
  std::vector<std::string> values;  ///< values of the sweep's keys
  bool paired = false;              ///< the seeds are equal: replications of the same number are compared in pairs
  std::vector<compared_estimate> estimates;
};

/// Two runs side by side.
struct comparison {
  std::string scenario;
  std::vector<std::string> keys;     ///< keys of the sweep
  std::vector<changed_key> changed;  ///< keys in which the scenarios differ
  std::vector<compared_point> points;
  std::vector<std::string> only_in_a, only_in_b;  ///< points, and metrics of points in both, in words
  bool identical = false;                         ///< whether every number of every replication is the same

  std::size_t compared() const;   ///< number of estimates
  std::size_t judged() const;     ///< number of estimates with a p-value
  std::size_t differing() const;  ///< number of estimates that differ significantly
};

/// The probability that a comparison of equal runs finds any difference.
inline constexpr double family_wise_error = 0.05;

/// Compares two runs of a scenario: points by the values of the sweep, estimates by class and metric.
///
/// Replications of the same seed draw from the same streams and are compared in pairs, as they are not independent.
/// Runs of different seeds are independent and are compared by Welch's t.
/// @throws results_error if they have no point or no estimate in common
comparison compare(stored_run& a, stored_run& b);

}  // namespace muster
