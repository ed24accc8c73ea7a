#pragma once

#include <optional>
#include <vector>

#include "platform/metrics/estimate.h"

namespace muster {

/// The differences of all metrics that both points have measured, except those of the policies' phases. Replication r
/// of one is compared with replication r of the other, which had the same arrivals and sizes: their common variance
/// cancels, and intervals are narrower than those of independent runs. Only common replications count.
std::vector<estimate> differences(const measured_point& a, const measured_point& b);

/// The sensitivity of the mean service rate to the size distribution beyond its mean: (largest - smallest) / smallest
/// `service_rate` of `all` over the points of a family, taken in each replication, which has the same arrivals at every
/// point. Noise adds to the sensitivity: it is above zero even where the rates agree.
/// @param points of the family
/// @return nothing if the service rate has not been measured
std::optional<estimate> sensitivity(const std::vector<const measured_point*>& points);

}  // namespace muster
