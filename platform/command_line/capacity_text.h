#pragma once

#include <string>

#include "platform/model/scenario.h"

namespace muster {

/// What pooled classes can get at a point: load, largest service rate and arrival rate of each class, and for up to
/// four classes the capacity set.
std::string capacity_text(const scenario& what);

}  // namespace muster
