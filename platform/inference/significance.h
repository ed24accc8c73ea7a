#pragma once

#include <optional>
#include <vector>

namespace muster {

/// The difference of two means.
struct difference {
  double mean = 0.0;                      ///< second minus first
  std::optional<double> ci_low, ci_high;  ///< 95 % interval by Student's t; none where there are too few values
  /// The probability of a difference at least as large, either way, if both expectations are equal; none where there
  /// are too few values. 0 or 1 where the values do not vary at all.
  std::optional<double> p;
};

/// The difference by Student's t of pairs. An interval needs two pairs.
/// @param first,second of equal length, at least 1; values at the same place are a pair
difference students_difference(const std::vector<double>& first, const std::vector<double>& second);

/// The difference by Welch's t of independent values, whose variances may differ. An interval needs two values on each
/// side.
/// @param first,second at least one value each
difference welch_difference(const std::vector<double>& first, const std::vector<double>& second);

/// The probability of a mean so far from zero or further, if zero is expected, by Student's t; 0 or 1 without error.
double two_sided(double mean, double standard_error, double degrees_of_freedom);

/// Adjusts p-values for their number (Holm): if those are called significant whose adjusted value is at most alpha, the
/// probability of any error is at most alpha, however the values depend on one another.
std::vector<double> holm(const std::vector<double>& p);

}  // namespace muster
