#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "platform/search/paired_series.h"
#include "platform/search/search_range.h"

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
  int side_below = 0;  ///< paired_point::side() at the low one
};

struct scan_result {
  std::vector<paired_point> points{};  ///< by value, those left out among them
  std::vector<int> sides{};            ///< of the points; 0: cannot be told, or left out
  std::vector<sign_change> changes{};
  std::size_t spent = 0;       ///< replications
  bool no_difference = false;  ///< all points that could be measured found the same for both, to the last digit
};

/// Replications of the scan have lower numbers than this one.
std::uint32_t end_of_scan(const crossover_terms& terms);

/// Tells which of two variants has less at values over a whole range: those that tune begins with, few replications.
/// Those of values at which that cannot be told, but for those between two that differ in the answer, are doubled, up
/// to 16 times terms.replications and the budget, or half of the budget once there is a crossing to be narrowed down
/// with the rest. Answers are wrong with a probability of 5 % at most, all of them together (paired t, Bonferroni over
/// values and looks). Between a value that is left out and a neighbour that is not, gaps are halved down to the
/// precision: the better policy often changes shortly before the other becomes unstable.
///
/// Several crossings between two neighbouring values are not seen, or taken as one.
///
/// @param report called after each look
/// @throws std::invalid_argument if the budget does not allow a first look
scan_result scan(const search_range& range, const crossover_terms& terms, const search_model& model,
                 const std::function<void(const scan_result&)>& report);

}  // namespace muster
