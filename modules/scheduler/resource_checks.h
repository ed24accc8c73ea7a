#pragma once

#include "muster/modules/scheduler/scheduler_settings.h"

namespace muster {

/// Checks that resources are declared, that servers have them, and that the servers of each class can hold a job of it.
/// @throws std::invalid_argument: what is wrong and what was expected
void check_resources(const scheduler_settings& s);

}  // namespace muster
