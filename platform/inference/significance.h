#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "platform/metrics/estimate.h"
#include "platform/model/scenario.h"

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

/// The evidence of replications on how far the means of two policies lie apart.
struct pair_evidence {
  /// The probability of a difference at least as large, either way, if both means are equal; none: not known.
  std::optional<double> apart;
  /// The probability of a difference at least as small, if the means lie apart by a margin or more (two one-sided
  /// tests, Schuirmann 1987); none: not known, or no margin given.
  std::optional<double> equal;
};

/// The evidence of the interval of a paired difference, taken as Student's with the end that lies towards the value in
/// question.
/// @param margin > 0, in the metric's unit; none: equality is not tested
pair_evidence evidence_of(const estimate& difference, const std::optional<double>& margin);

/// The evidence of two intervals, as of independent means of many values; equality is not tested.
pair_evidence evidence_of(const estimate& a, const estimate& b);

/// The finding about two policies.
enum class pair_finding {
  open,   ///< neither apart nor equal is known
  apart,  ///< their means differ
  equal,  ///< their means differ by less than the margin
};

/// Decides all pairs of a comparison. The probability that any equal pair is declared different at any look is at most
/// 5 % (Holm's correction), and so is that of declaring any pair equal that lies apart by the margin (Bonferroni's).
/// @param looks number of times that pairs are decided while replications are added, at least 1
std::vector<pair_finding> findings_of(const std::vector<pair_evidence>& pairs, std::uint32_t looks);

/// The margin within which two means are equal, in the metric's unit: the share run.equal_within of the smaller one.
/// There is no margin where that share is not given, or where the smaller mean is zero.
std::optional<double> margin_between(const estimate& a, const estimate& b, const run_spec& run);

}  // namespace muster
