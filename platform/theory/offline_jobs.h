#pragma once

#include <cstdint>

#include "platform/model/scenario.h"

namespace muster {

/// The greatest total utility that any schedule can give the jobs of a replication, at no cost.
/// @param what has an optimum
double optimum_of(const scenario& what, std::uint32_t replication);

}  // namespace muster
