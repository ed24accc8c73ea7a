#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "platform/model/study.h"

namespace muster {

/// Whether a key of a sweep is `policy` or lies within it.
bool is_policy_key(const std::string& key);

/// The policy of a point, as the sweep's keys of the policy have it: the value of the only one, or KEY=VALUE of each.
std::string policy_of(const study& s, std::size_t point);

/// Points that differ in nothing but some keys, in their order; families of one point are left out.
/// @param left_out whether a key of the sweep is one of those
std::vector<std::vector<std::size_t>> families_but_for(const study& s, bool (*left_out)(const std::string& key));
/// Families of points that differ in nothing but keys of the policy.
std::vector<std::vector<std::size_t>> families_of_policies(const study& s);
/// Families of points that differ in nothing but size distributions, that is in keys whose last part is `size`.
std::vector<std::vector<std::size_t>> families_of_sizes(const study& s);

/// Pairs of points of a family, each once and in its order; in a family of more than 40 points those with the first.
std::vector<std::pair<std::size_t, std::size_t>> pairs_within(const std::vector<std::size_t>& family);

}  // namespace muster
