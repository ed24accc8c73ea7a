#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "platform/search/scenario_search.h"

namespace muster {

/// What a search has found at a point of a sweep.
struct point_answer {
  std::optional<trial> best{};  ///< none: no combination is known to meet all constraints, or all find the same
  std::size_t undecided = 0;    ///< combinations that may meet the constraints or not
};

/// The answers of `muster tune` at all points of a sweep, side by side, and between which values of its key the best
/// combination changes: how far it can be relied on where the load, or whatever is swept, is not known. Empty where
/// there is one point, or several objectives.
/// @param answers of each point, in their order
std::string sweep_answers(const search_request& request, const std::vector<point_answer>& answers);

}  // namespace muster
