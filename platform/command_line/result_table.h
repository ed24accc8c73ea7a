#pragma once

#include <string>
#include <vector>

#include "platform/results/estimate.h"
#include "platform/scenario/scenario.h"

namespace muster {

/// The table at the end of a run: a line for each finished point, the main metrics with their 95 % half-widths.
std::string result_table(const study& s, const std::vector<std::vector<estimate>>& estimates);

}  // namespace muster
