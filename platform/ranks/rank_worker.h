#pragma once

#include <cstddef>
#include <functional>

#include "platform/model/scenario.h"
#include "platform/ranks/rank_link.h"

namespace muster {

/// The side of every other rank: reads the study, simulates what rank 0 asks for, and ends when rank 0 says so. Prints
/// nothing: what goes wrong is told to rank 0. Ignores SIGINT and SIGTERM, as rank 0 decides.
/// @param workers simulations at a time
void serve_rank_0(rank_link& link, const std::function<study()>& read, std::size_t workers);

}  // namespace muster
