#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "platform/metrics/estimate.h"
#include "platform/model/scenario.h"
#include "platform/tables/table_document.h"
#include "platform/theory/theory.h"

namespace muster {

/// What `muster run` prints at its end: a line for each finished point, the main metrics with their 95 % half-widths.
/// Where some point has a known answer, its response time stands beside the measured one. No text if no point is
/// finished.
/// @param estimates,answers by point
table_document run_text(const study& s, const std::vector<std::vector<estimate>>& estimates,
                        const std::vector<theory>& answers);

/// A line that names the points which have missed their precision; empty if there are none.
std::string imprecise_points(const std::vector<std::size_t>& imprecise, std::size_t points);

}  // namespace muster
