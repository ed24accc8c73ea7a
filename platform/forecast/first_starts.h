#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "platform/model/scenario.h"

namespace muster {

/// When each of the first jobs to arrive is first started, in units of time, in their order; infinite: it was not
/// before the replication had ended. The simulation, in this process, ends when all of them have started.
/// @param jobs at least one
/// @throws std::runtime_error on a fault, as run_replication() does
std::vector<double> first_starts(const scenario& point, std::uint32_t replication, std::size_t jobs);

}  // namespace muster
