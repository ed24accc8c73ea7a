#pragma once

#include <string>

#include "platform/results/compare.h"

namespace muster {

/// Text of `muster compare`: what was compared, in which keys the scenarios differ, a row for each estimate that
/// differs beyond chance, and what only one of the runs has.
/// @param a,b the directories as given
/// @param all rows of all estimates
std::string comparison_text(const comparison& found, const std::string& a, const std::string& b, bool all);

}  // namespace muster
