#pragma once

#include <cstdint>
#include <string>

#include "muster/policies/server_racks.h"
#include "platform/model/scenario.h"

namespace muster {

/// Whether a topology has racks: leaf switches, or groups of routers, to which servers are joined.
inline bool has_racks(const topology_entry& topology) { return topology.switches_of_rack != nullptr; }
/// The topologies that have racks, as a list of words: "racks, fat_tree or dragonfly".
std::string topologies_with_racks();

/// The racks of a scenario's servers, by the groups of one of its schedulers, or of the only one. Racks are numbered in
/// the order of the servers. Without racks in the network nothing is known.
/// @param scheduler its number; 0: the only one
server_racks racks_of(const scenario& model, std::uint32_t scheduler = 0);

}  // namespace muster
