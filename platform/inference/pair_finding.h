#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "platform/metrics/estimate.h"
#include "platform/model/scenario.h"

namespace muster {

/// What the replications of two policies say of how far their means lie apart.
struct pair_evidence {
  /// Probability of a difference at least as large, either way, if both means are equal; none: not known.
  std::optional<double> apart;
  /// Probability of a difference at least as small, if the means lie apart by a margin or more (two one-sided tests,
  /// Schuirmann 1987); none: not known, or no margin given.
  std::optional<double> equal;
};

/// From the interval of a paired difference, as if it were Student's with the end that lies towards the value in
/// question.
/// @param margin > 0, in the metric's unit; none: it is not asked whether they are equal
pair_evidence evidence_of(const estimate& difference, const std::optional<double>& margin);

/// From two intervals, as for independent means of many values; it is not asked whether they are equal.
pair_evidence evidence_of(const estimate& a, const estimate& b);

/// What may be said of two policies.
enum class pair_finding {
  open,   ///< neither of the others
  apart,  ///< their means differ
  equal,  ///< their means differ by less than the margin
};

/// Of all pairs of a comparison. Two that are equal are called different, in any pair at any look, with a probability
/// of 5 % at most (Holm's correction), and two that lie apart by the margin are called equal with one of 5 % at most
/// (Bonferroni's).
/// @param looks how many times this may be asked while replications are added, at least 1
std::vector<pair_finding> findings_of(const std::vector<pair_evidence>& pairs, std::uint32_t looks);

/// How far two means may lie apart to be called equal where run.equal_within asks for it, in the metric's unit: that
/// share of the smaller one. None where it does not, and where that mean is zero.
std::optional<double> margin_between(const estimate& a, const estimate& b, const run_spec& run);

}  // namespace muster
