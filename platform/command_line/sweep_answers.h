#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/search/scenario_search.h"

namespace muster {

/// The answers of `muster tune` at all points of a sweep, side by side, and between which values of its key the best
/// combination changes: how far it can be relied on where the load, or whatever is swept, is not known. Empty where
/// there is one point, or several objectives.
/// @param best of each point, in their order; none: no combination is known to meet all constraints,
///   or all find the same
std::string sweep_answers(const search_request& request, const std::vector<std::optional<trial>>& best);

}  // namespace muster
