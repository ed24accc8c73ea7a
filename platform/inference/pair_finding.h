#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "platform/metrics/estimate.h"
#include "platform/model/scenario.h"

namespace muster {

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
/// None where that is not given, and where the smaller mean is zero.
std::optional<double> margin_between(const estimate& a, const estimate& b, const run_spec& run);

}  // namespace muster
