#pragma once

#include <string>

#include "platform/model/network_topology.h"
#include "platform/scenario/named_file.h"

namespace muster {

/// A file that describes a network.
struct network_file : named_file, listed_network {};

/// Reads a network from the content: the first graph of a GraphML file, in which every vertex has the string properties
/// `name` and `kind` (scheduler, switch or server), and every edge may have the numbers `latency` and `bandwidth`.
void parse_network(network_file& network);

}  // namespace muster
