#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace muster {

/// The jobs at the beginning of a replication that belong to its warm-up.
struct found_warm_up {
  std::uint64_t jobs = 0;  ///< number of jobs that leave before the measurement begins
  bool settled = true;     ///< false: the replication is too short to show a steady state, and `jobs` is half of it
};

/// MSER (White, 1997): the number d of values to leave out at the beginning so that the standard error of the mean of
/// the others, their variance over their number, is least. The last tenth is left out of the search, as a few
/// values in a row may be close by chance.
/// @param values in their order; at least one
std::size_t mser(const std::vector<double>& values);

}  // namespace muster
