#pragma once

#include <string>
#include <vector>

#include "platform/command_line/printed_output.h"
#include "platform/metrics/estimate.h"
#include "platform/model/scenario.h"
#include "platform/theory/theory.h"

namespace muster {

/// The table at the end of a run: a line for each finished point, the main metrics with their 95 % half-widths. Where
/// some point has a known answer, its response time stands beside the measured one. No text if no point is finished.
printed_output result_table(const study& s, const std::vector<std::vector<estimate>>& estimates,
                            const std::vector<theory>& known);

/// A line that names the points which have missed their precision; empty if there are none.
std::string imprecise_points(const std::vector<std::size_t>& imprecise, std::size_t points);

/// The table of `muster theory`: a line for each point and class, and what the answers are or why there are none. The
/// lines are left out where no point has an answer.
printed_output theory_table(const study& s, const std::vector<theory>& known);

}  // namespace muster
