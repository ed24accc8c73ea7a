#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace muster {

/// How many jobs have a need, and the work that they are.
struct need_weight {
  std::uint32_t need;
  double jobs, work;  ///< work in cores times time
};

/// The rule, as `arrivals.class_by` has it, by which jobs become at most eight classes: `need` if there are at most
/// eight needs, else ranges such as `cores: 1, 2-4, 8-16`. The ranges are the fewest that leave at most 1 % of the
/// variance of the logarithm of the need within them, and where eight leave more, the eight that leave least; half the
/// weight of a need is its share of jobs, the other half its share of work (W. D. Fisher, "On grouping for maximum
/// homogeneity", 1958).
/// @param needs ascending, each once
std::string class_rule_by_needs(const std::vector<need_weight>& needs);

}  // namespace muster
