#pragma once

#include <cstdint>
#include <vector>

#include "platform/metrics/replication_pictures.h"

namespace muster {

/// A part of a slice as it is drawn: neighbouring rows.
struct row_block {
  std::size_t slice;  ///< in core_window::slices
  std::uint32_t first, count;
};

/// Gives each slice as many rows as it has cores, among those of its server: the first free ones that are neighbours,
/// else the first free ones. So a job's cores lie together as far as that is possible; which of its server's cores a
/// row is may change over time. No row has two slices at once.
/// @param cores of each server that is shown
/// @return by growing begin of the slices
std::vector<row_block> rows_of(const core_window& window, const std::vector<std::uint32_t>& cores);

}  // namespace muster
