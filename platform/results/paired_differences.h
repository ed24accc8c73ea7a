#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/metrics/estimate.h"
#include "platform/model/scenario.h"

namespace muster {

/// What one policy has above another, on the same jobs.
struct paired_difference {
  std::size_t a = 0, b = 0;           ///< points
  std::vector<estimate> differences;  ///< value at a minus value at b, by metric
};

/// Whether a key of a sweep is `policy` or lies within it.
bool is_policy_key(const std::string& key);

/// What the sweep's policy keys have put into a point: the value of the only one, or KEY=VALUE of each.
std::string policy_of(const study& s, std::size_t point);

/// Points that differ in nothing but some keys, in their order; families of one point are left out.
/// @param left_out whether a key of the sweep is one of those
std::vector<std::vector<std::size_t>> families_but_for(const study& s, bool (*left_out)(const std::string& key));
/// Those that differ in nothing but keys of the policy.
std::vector<std::vector<std::size_t>> families_of_policies(const study& s);
/// Those that differ in nothing but size distributions, that is in keys whose last part is `size`.
std::vector<std::vector<std::size_t>> families_of_sizes(const study& s);

/// Each two of a family once, in its order. Of more than 40 points only those with the first of them.
std::vector<std::pair<std::size_t, std::size_t>> pairs_within(const std::vector<std::size_t>& family);

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
