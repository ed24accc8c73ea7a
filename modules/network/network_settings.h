#pragma once

#include <iosfwd>

#include "muster/modules/network/network_graph.h"

namespace muster {

/// What a network is given when it is built.
struct network_settings {
  network_graph graph;                ///< one scheduler; servers of places from 0 on, each joined to it
  std::uint64_t dispatch_bytes = 40;  ///< of a message that starts a slice; as long as its slice_descriptor
  std::uint64_t message_bytes = 8;    ///< of all others: stops, ends of slices
};

/// @throws std::invalid_argument if there can be no such network: what is wrong and what was expected
void check(const network_settings& s);

/// Prints each setting on a line, `name = value unit`: the edges in the order of adding, then the others.
std::ostream& operator<<(std::ostream& out, const network_settings& s);

}  // namespace muster
