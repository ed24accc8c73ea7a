#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "platform/search/paired_series.h"

namespace muster {

/// How far the search for a crossing goes.
struct crossover_terms {
  std::uint32_t replications = 10;  ///< at least 2; the scan begins with fewer, and takes more where that is not enough
  std::size_t budget = 1000;        ///< replications in all, both variants
  double precision = 0.02;          ///< half-width of a crossing's interval, as a share of the range
};

/// A value where the scan has found one variant to have less, and the next one where it has found the other to.
struct sign_change {
  double low = 0.0, high = 0.0;
  int side_below = 0;  ///< paired_point::side at the low one
};

/// A value of the parameter at which the variant that has less changes.
struct crossing {
  /// The value with its 95 % interval. Of integers it is the first one from which on the other variant has less.
  double value = 0.0, low = 0.0, high = 0.0;
  int side_below = 0;              ///< -1: below it the first variant has less; 1: the second one
  double half_width = 0.0;         ///< of the interval, as a share of the range
  bool precise = false;            ///< that is at most what was wanted
  std::uint32_t replications = 0;  ///< that the interval is from
};

/// What a search for crossings has found.
struct crossover_result {
  std::vector<paired_point> scanned{};  ///< the points of the scan by value, those left out among them
  std::vector<sign_change> changes{};   ///< that the scan has found
  bool no_difference = false;           ///< the scan has found the same for both at all points, to the last digit
  std::vector<crossing> crossings{};    ///< by value
  std::vector<paired_point>
      narrowed{};         ///< by value: where the crossings were narrowed down; sides judged by itself each
  std::size_t spent = 0;  ///< replications
  /// A sentence for each trial whose window is too short.
  std::vector<std::string> short_windows{};

  /// Values of the scan whose side is not known and matters: what lies within a change of sign is narrowed down.
  std::vector<double> unsettled() const;
};

/// Replications of the scan have lower numbers than this one.
std::uint32_t end_of_scan(const crossover_terms& terms);

/// Seeks the values of a parameter at which the variant with less changes: by a scan over the whole range, then the
/// changes of sign that it has found are narrowed down with the rest of the budget.
///
/// The scan tells which variant has less at the values that tune begins with, by few replications. Those of values at
/// which that cannot be told, but for those between two that differ in the answer, are doubled, up to 16 times
/// terms.replications and the budget, or half of the budget once there is a crossing to be narrowed down with the rest.
/// Its answers are wrong with a probability of 5 % at most, all of them together (paired t, Bonferroni over values and
/// looks). Between a value that is left out and a neighbour that is not, gaps are halved down to the precision: the
/// better policy often changes shortly before the other becomes unstable. Several crossings between two neighbouring
/// values are not seen, or taken as one.
///
/// Narrowing down takes replications of its own, which the scan has not seen: of the scan an interval takes the two
/// values between which the crossing lies, and their sides, nothing else. Where the sign changes several times within a
/// change, there are several crossings. At the values from one end of the change to the other the same replications are
/// simulated. Those whose side is known (paired t, two-sided 0.1 %) cut the range; gaps that the interval reaches are
/// halved while they are wider than 4 times the precision and than half of the interval; then the interval is taken as
/// crossing_of() does, and unless it is narrow enough the replications are increased, to what its width asks for, at
/// most 4-fold at a time.
///
/// Coverage: with values and replications fixed beforehand, what crossing_of() is asked for. Cutting loses the crossing
/// with a probability of 0.1 % a value; a gap is halved or not whatever the replications say of the crossing within it.
/// Stopping at the first interval that is narrow enough favours those narrow by chance: in 18,000 searches with normal
/// differences, 93.6 % of intervals of 95 % covered the crossing, and 94.8 % of intervals of 96 %, which are those
/// taken. Several crossings have theirs each.
///
/// @param report called after each look, with what there is so far
/// @throws std::invalid_argument if the budget does not allow a first look
crossover_result find_crossings(const search_range& range, const crossover_terms& terms, const search_model& model,
                                const std::function<void(const crossover_result&)>& report);

}  // namespace muster
