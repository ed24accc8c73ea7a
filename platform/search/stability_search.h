#pragma once

#include <vector>

#include "platform/theory/stability/stability.h"

namespace muster {

/// The stability of each point of a study: examine_stability(), and where that decides nothing, what becomes of long
/// queues in eight simulations of the point itself (follow_backlog()). Where all of them drain, the point counts as
/// stable; where all of them grow, and in one more with a queue ten times as long, as unstable. Both are known by
/// limit_evidence::simulated_bound; else nothing is concluded.
///
/// Where a point of rigid jobs is known to be stable, but close to the limit, one such simulation tells whether a long
/// queue drains (stability::long_queue): what holds in the long run may not show at lengths that anybody simulates.
///
/// The simulations have fixed seeds: those of the scenario. They run in child processes, and say on a terminal how far
/// they are.
/// @param workers child processes at a time
std::vector<stability> search_stability(const study& s, std::size_t workers);

}  // namespace muster
