#pragma once

#include "muster/modules/network/network_graph.h"
#include "platform/scenario/scenario.h"

namespace muster {

/// A scenario's network, in ticks. Vertices are the scheduler, the switches, and the servers, which come last but in a
/// network from a file; servers are numbered as they stand in `servers`.
///
/// - star: the scheduler in the middle;
/// - racks: the scheduler is joined to each rack's switch, and that to the rack's servers, which are dealt out in their
///   order, the same number to each rack or one more to some;
/// - fat tree of switches with k ports: k pods of k / 2 switches above k / 2 switches with k / 2 places each, joined by
///   (k / 2)^2 switches above all (Al-Fares, Loukissas and Vahdat, SIGCOMM 2008). The scheduler has the first place,
///   the servers follow;
/// - from a file.
network_graph make_network_graph(const scenario& what);

/// Servers for which a fat tree has places, beside the scheduler.
std::uint64_t fat_tree_places(std::uint64_t ports);

}  // namespace muster
