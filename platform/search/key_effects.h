#pragma once

#include <cstddef>
#include <vector>

#include "platform/search/best_search.h"

namespace muster {

/// How much of the variance of a number over the coarse grid the values of one key explain alone: between its values,
/// over all (correlation ratio).
///
/// Trials that were excluded are left out; where that leaves values of the key with other values of the other
/// keys, their effect is in it, too.
/// @param key its place
/// @param series of the number
/// @return by replication: of those that all trials have; empty where the number is the same everywhere
std::vector<double> shares_of_variance(const search_result& found, std::size_t key, std::size_t series);

}  // namespace muster
