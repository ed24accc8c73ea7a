#pragma once

#include "platform/theory/stability/stability.h"

namespace muster {

/// Examines whether a point of pooled jobs is stable, see examine_stability().
stability examine_pooled(const scenario& model);

/// The scenario with servers that never fail, but have the capacity that failures leave them on average.
scenario while_up(scenario model);

}  // namespace muster
