#pragma once

#include <iosfwd>

#include "muster/modules/network/network_graph.h"
#include "muster/modules/network/sharing/sharing_rule.h"

namespace muster {

/// Settings of a network.
struct network_settings {
  network_graph graph;                ///< its servers have the places 0, 1, 2, ..
  std::uint64_t dispatch_bytes = 40;  ///< size of a message that starts a slice: that of its slice_descriptor
  std::uint64_t message_bytes = 8;    ///< size of all other messages: stops, ends of slices
  sharing_rule sharing = sharing_rule::fifo;
};

/// Checks settings. @throws std::invalid_argument for invalid settings: what is wrong and what was expected
void check(const network_settings& s);

/// Prints each setting on a line, `name = value unit`: the edges in the order of adding, then the others.
std::ostream& operator<<(std::ostream& out, const network_settings& s);

}  // namespace muster
