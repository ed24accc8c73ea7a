#pragma once

#include <vector>

#include "platform/theory/stability/stability.h"

namespace muster {

/// The stability of each point of a study: examine_stability(), and where that decides nothing, what becomes of long
/// queues in simulations of the point itself (backlog_rounds). Where they drain, the point counts as stable; where they
/// grow, as unstable. Both are known by limit_evidence::simulated_bound; else nothing is concluded.
///
/// Where a point of rigid jobs is known to be stable, but close to the limit, one such simulation tells whether a long
/// queue drains (stability::long_queue): what holds in the long run may not show at lengths that anybody simulates.
///
/// The simulations have fixed seeds: those of the scenario. They run in child processes, and say on standard error that
/// they do: how far they are on a terminal, elsewhere once, after a second.
/// @param workers child processes at a time
std::vector<stability> search_stability(const study& s, std::size_t workers);

}  // namespace muster
