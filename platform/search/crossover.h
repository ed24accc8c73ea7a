#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "platform/search/crossover_scan.h"

namespace muster {

/// A value of the parameter at which the variant that has less changes.
struct crossing {
  /// With its 95 % interval. Of integers: the first one from which on the other variant has less.
  double value = 0.0, low = 0.0, high = 0.0;
  int side_below = 0;              ///< -1: below it the first variant has less; 1: the second one
  double half_width = 0.0;         ///< of the interval, as a share of the range
  bool precise = false;            ///< that is at most what was wanted
  std::uint32_t replications = 0;  ///< that the interval is from
};

struct crossover_result {
  scan_result scanned;
  std::vector<crossing> crossings{};     ///< by value
  std::vector<paired_point> narrowed{};  ///< by value: where the crossings were narrowed down
  std::size_t spent = 0;                 ///< replications
  /// What is to be known of trials whose windows are too short, a sentence each.
  std::vector<std::string> short_windows{};
};

/// Seeks the values of a parameter at which the variant with less changes: scan(), then the changes of sign that it has
/// found are narrowed down with the rest of the budget.
///
/// That takes replications of their own, which the scan has not seen: of the scan an interval takes the two values
/// between which the crossing lies, and their sides, nothing else. Where the sign changes several times within a
/// change, there are several crossings.
///
/// At the values from one end of the change to the other the same replications are simulated. Those whose side is known
/// (paired t, two-sided 0.1 %) cut the range; gaps that the interval reaches are halved while they are wider than 4
/// times the precision and than half of the interval; then the interval is taken as crossing_of() does, and unless it
/// is narrow enough the replications are increased, to what its width asks for, at most 4-fold at a time.
///
/// Coverage: with values and replications fixed beforehand, what crossing_of() is asked for. Cutting loses the crossing
/// with a probability of 0.1 % a value; a gap is halved or not whatever the replications say of the crossing within it.
/// Stopping at the first interval that is narrow enough favours those narrow by chance: in 18,000 searches with normal
/// differences, 93.6 % of intervals of 95 % covered the crossing, and 94.8 % of intervals of 96 %, which are those
/// taken. Several crossings have theirs each.
///
/// @param report called after each look, with what there is so far
/// @throws std::invalid_argument as scan() does
crossover_result find_crossings(const search_range& range, const crossover_terms& terms, const search_model& model,
                                const std::function<void(const crossover_result&)>& report);

}  // namespace muster
