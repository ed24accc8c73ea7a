#pragma once

#include <optional>
#include <vector>

namespace muster {

/// How far two means lie apart.
struct difference {
  double mean = 0.0;                      ///< second minus first
  std::optional<double> ci_low, ci_high;  ///< 95 %, Student's t; none where there are too few values
  /// Probability of a difference at least as large, either way, if both expectations are equal; none where there are
  /// too few values. 0 or 1 where the values do not vary at all: then nothing is left to chance.
  std::optional<double> p;
};

/// Student's t of the differences of pairs. An interval needs two pairs.
/// @param first,second of equal length, at least 1; what stands at the same place belongs together
difference students_difference(const std::vector<double>& first, const std::vector<double>& second);

/// Welch's t: independent values, variances that need not be equal. An interval needs two values on each side.
/// @param first,second at least one value each
difference welch_difference(const std::vector<double>& first, const std::vector<double>& second);

/// Holm's adjustment of p-values for being many: to call those significant whose adjusted value is at most alpha has a
/// probability of at most alpha to be wrong even once, however they depend on one another.
std::vector<double> holm(const std::vector<double>& p);

}  // namespace muster
