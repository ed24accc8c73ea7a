#pragma once

#include "platform/model/scenario.h"
#include "platform/store/point_stability.h"
#include "platform/theory/stability/policy_limit.h"

namespace muster {

/// The stability of each point, by examine_stability().
study_stability stability_of(const study& s, limit_search search);

}  // namespace muster
