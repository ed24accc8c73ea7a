#pragma once

#include <cstdint>

#include <boost/random/discrete_distribution.hpp>

namespace muster {

/// Numbers 0, 1, .. with given weights: none negative, some > 0.
using weighted_choice = boost::random::discrete_distribution<std::uint32_t>;

}  // namespace muster
