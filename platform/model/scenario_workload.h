#pragma once

#include <cstdint>
#include <memory>

#include "muster/modules/source/workload.h"
#include "platform/model/scenario.h"

namespace muster {

/// The jobs of a scenario: the same ones for every policy.
/// @param model outlives them
/// @param replication keys the random streams
std::unique_ptr<workload> make_workload(const scenario& model, std::uint32_t replication);

}  // namespace muster
