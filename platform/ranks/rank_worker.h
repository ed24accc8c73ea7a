#pragma once

#include <cstddef>
#include <functional>

#include "platform/model/scenario.h"
#include "platform/ranks/rank_link.h"

namespace muster {

/// What every other rank does: reads the study, simulates the tasks that rank 0 sends, and ends when rank 0 requests
/// it. Prints nothing: errors are sent to rank 0. Ignores SIGINT and SIGTERM, as rank 0 decides.
/// @param workers simulations at a time
void serve_rank_0(rank_link& link, const std::function<study()>& read, std::size_t workers);

}  // namespace muster
