#pragma once

#include <optional>
#include <vector>

#include "platform/metrics/estimate.h"

namespace muster {

/// Differences of all metrics that both have measured, but for those of the policies' phases. Replication r of one is
/// held against replication r of the other, which had the same arrivals and sizes: what the jobs bring to both cancels,
/// and the intervals are narrower than those of independent runs. Where one has more replications, the common ones
/// count.
std::vector<estimate> differences(const measured_point& a, const measured_point& b);

/// How much the mean service rate depends on the size distribution beyond its mean: (largest - smallest) / smallest
/// `service_rate` of `all` over the points of a family, taken in each replication, which has the same arrivals at every
/// point. Noise adds to it: it is above zero even where the rates agree.
/// @param points those of the family
/// @return nothing if the service rate has not been measured
std::optional<estimate> sensitivity(const std::vector<const measured_point*>& points);

}  // namespace muster
