#pragma once

#include "platform/metrics/estimate.h"
#include "platform/model/scenario.h"

namespace muster {

/// Whether a few jobs dominate an estimate in a run of any length: the mean of response time over size, where sizes
/// have many small values (probability_law::small_times).
bool is_heavy_mean(const estimate& e, const scenario& study_point);

}  // namespace muster
