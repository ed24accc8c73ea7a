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
  std::optional<double> p;  ///< Holm's, over all that was compared; none: too few replications to judge by
  bool differs = false;     ///< beyond chance
};

/// A point that both runs have.
struct compared_point {
  std::vector<std::string> values;  ///< of the sweep's keys
  bool paired = false;              ///< the same seed: replications of the same number were held against each other
  std::vector<compared_estimate> estimates;
};

/// Two runs side by side.
struct comparison {
  std::string scenario;
  std::vector<std::string> keys;     ///< of the sweep
  std::vector<changed_key> changed;  ///< in which the scenarios differ
  std::vector<compared_point> points;
  std::vector<std::string> only_in_a, only_in_b;  ///< points, and metrics of points in both, in words
  bool identical = false;                         ///< every number of every replication is the same

  std::size_t compared() const;   ///< estimates
  std::size_t judged() const;     ///< estimates with a p-value
  std::size_t differing() const;  ///< estimates that differ beyond chance
};

/// The probability that a comparison of equal runs finds any difference.
inline constexpr double family_wise_error = 0.05;

/// Holds two runs of a scenario against each other: points by what the sweep has put in, estimates by class and metric.
///
/// Replications of the same seed draw from the same streams, so they are paired: whatever they have in common cancels,
/// and to take them for independent would be wrong. Runs of different seeds are independent: Welch's t.
/// @throws results_error if they have no point or no estimate in common
comparison compare(stored_run& a, stored_run& b);

}  // namespace muster
