#pragma once

#include "platform/theory/stability/stability.h"

namespace muster {

/// Takes back what does not hold where the cluster changes while it runs: jobs that exchange data, speeds and rates
/// that change, FMUs that control. What remains is judged anew.
/// @param limits as they are without changes
void limit_by_changes(const scenario& model, stability& limits);

}  // namespace muster
