#pragma once

#include <string>
#include <vector>

#include "platform/scenario/scenario.h"

namespace muster {

/// A sentence for each class, or list, whose utility is not concave where the policy is ISPEED and looks at the gain of
/// the next unit alone: a unit that gains nothing then hides those behind it. Each once, however many points have it.
std::vector<std::string> utility_warnings(const study& s);

}  // namespace muster
