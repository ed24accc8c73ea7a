#pragma once

#include <vector>

#include "platform/model/scenario.h"
#include "platform/theory/demand.h"

namespace muster {

/// A load that must be below 1, if jobs that need tasks are to be stable under any policy: the largest of the loads of
/// the resources, and of each class alone on the servers that it may use, where what is left when no further job fits
/// serves none. @param demands of the classes
double load_of_tasks(const scenario& model, const std::vector<demand>& demands);

}  // namespace muster
