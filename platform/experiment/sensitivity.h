#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "platform/metrics/estimate.h"
#include "platform/model/scenario.h"

namespace muster {

/// Points of a study that differ in nothing but size distributions, that is in sweep keys whose last part is `size`.
/// Families of one point are left out.
std::vector<std::vector<std::size_t>> families_of_sizes(const study& s);

/// How much the mean service rate depends on the size distribution beyond its mean: (largest - smallest) / smallest
/// `service_rate` of `all` over the points of a family, taken in each replication, which has the same arrivals at every
/// point. Noise adds to it: it is above zero even where the rates agree.
/// @param points those of the family
/// @return nothing if the service rate has not been measured
std::optional<estimate> sensitivity(const std::vector<measured_point>& points);

}  // namespace muster
