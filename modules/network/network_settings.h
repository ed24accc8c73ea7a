#pragma once

#include <iosfwd>

#include "muster/modules/network/network_graph.h"

namespace muster {

/// Settings of a network.
struct network_settings {
  network_graph graph;                ///< servers have the places 0, 1, 2, ..
  std::uint64_t dispatch_bytes = 40;  ///< of a message that starts a slice; as long as its slice_descriptor
  std::uint64_t message_bytes = 8;    ///< of all others: stops, ends of slices
};

/// @throws std::invalid_argument for invalid settings: what is wrong and what was expected
void check(const network_settings& s);

/// Prints each setting on a line, `name = value unit`: the edges in the order of adding, then the others.
std::ostream& operator<<(std::ostream& out, const network_settings& s);

}  // namespace muster
