#pragma once

#include <optional>
#include <vector>

#include "muster/policies/utility.h"

namespace muster {

/// The most that the optimum of the jobs can be of what ISPEED attains, whatever their deadlines: 2 + alpha, the
/// largest shape parameter among them (ISPEED paper, Theorem 2). The bound holds with whole units and without costs,
/// whether ISPEED goes by the gain of the next unit or by the largest mean gain.
/// @return none if no number bounds it
std::optional<double> competitive_bound(const std::vector<const utility*>& jobs);

}  // namespace muster
