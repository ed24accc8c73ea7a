#pragma once

#include <vector>

#include "platform/model/study.h"
#include "platform/store/study_estimates.h"
#include "platform/theory/stability/stability.h"

namespace muster {

/// The stability of each point, by examine_stability().
std::vector<stability> examine_points(const study& s, limit_search search = limit_search::quick);
/// The rows that are stored of the stability of each point.
study_stability stability_of(const study& s, const std::vector<stability>& known);

}  // namespace muster
