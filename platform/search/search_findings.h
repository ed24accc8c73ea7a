#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "platform/search/best_search.h"

namespace muster {

/// How much of the variance of a number over the coarse grid the values of one key explain alone: between its values,
/// over all (correlation ratio).
///
/// Trials that were excluded are left out; where that leaves values of the key with other values of the other
/// keys, their effect is in it, too.
/// @param key its place
/// @param series of the number
/// @return by replication: of those that all trials have; empty where the number is the same everywhere, or one value
/// of
///   the key alone could be measured
std::vector<double> shares_of_variance(const search_result& found, std::size_t key, std::size_t series);

/// What it would take to tell of which combinations left the constraints are met.
struct deciding_budget {
  std::size_t open = 0;            ///< combinations left of which that is not known
  std::size_t decided = 0;         ///< of these, those that would be decided
  std::uint32_t replications = 0;  ///< of a combination at most
  std::size_t budget = 0;          ///< replications in all, of all combinations left
};

/// Estimates the budget, as far as the means and variances found so far are right. Combinations so close to a bound
/// that they would take more than 10,000 replications stay open.
deciding_budget budget_to_decide(const search_result& found, const search_terms& terms);

/// Trials that were excluded for the same reason, but for its numbers.
struct exclusion {
  std::size_t count = 0;
  const trial* first = nullptr;
};

/// The exclusions among trials, by kind of reason, in the order of these.
std::vector<exclusion> exclusions_among(const std::vector<trial>& tried);

}  // namespace muster
