#pragma once

#include <vector>

namespace muster {

/// The paired differences at one place of the axis, by replication.
struct differences_at {
  double place = 0.0;
  std::vector<double> values;
};

/// The place where an expected difference is zero.
struct crossing_interval {
  double estimate = 0.0;         ///< where the mean difference is zero; else where its absolute value is least
  double low = 0.0, high = 0.0;  ///< interval of the requested confidence
};

/// Estimates where the expectation of the differences crosses zero, with an interval: Fieller's method by test
/// inversion.
///
/// Each replication is interpolated linearly between neighbouring places. At a place x that gives one difference for
/// each replication, a fixed linear combination of its differences; replications are independent, so that the mean over
/// its standard error is Student's t with n - 1 degrees of freedom if x is the zero, however strongly the differences
/// at different places depend on each other. The interval spans all x at which |t| is not above its quantile (between
/// two places the bounds are roots of a quadratic equation), and so has the zero of the interpolated expectation with
/// that confidence, for normal differences. That zero is off the true one by at most h^2 |d''/d'| / 8, where h is the
/// distance of the places and d the expectation.
///
/// @param nodes at least two, by ascending place, each with the same replications, at least two of them
/// @return within the places given; where |t| is above the quantile everywhere, the interval is the estimate alone
crossing_interval crossing_of(const std::vector<differences_at>& nodes, double confidence = 0.95);

}  // namespace muster
