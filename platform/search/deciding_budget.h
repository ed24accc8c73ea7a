#pragma once

#include <cstddef>
#include <cstdint>

#include "platform/search/best_search.h"

namespace muster {

/// What it would take to tell of which combinations left the constraints are met.
struct deciding_budget {
  std::size_t open = 0;            ///< combinations left of which that is not known
  std::size_t decided = 0;         ///< of these, those that would be decided
  std::uint32_t replications = 0;  ///< of a combination at most
  std::size_t budget = 0;          ///< replications in all, of all combinations left
};

/// As far as the means and variances found so far are right. Combinations so close to a bound that they would take more
/// than 10,000 replications stay open.
deciding_budget budget_to_decide(const search_result& found, const search_terms& terms);

}  // namespace muster
