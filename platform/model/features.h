#pragma once

#include <string>
#include <vector>

#include "platform/model/scenario.h"

namespace muster {

/// The features of a scenario that take time beside its jobs' work. Each theory states which of them it tolerates.
enum feature : unsigned {
  with_costs = 1U << 0U,      ///< cost_spec::any()
  with_links = 1U << 1U,      ///< a network that takes time
  with_decisions = 1U << 2U,  ///< a scheduler that takes time
  with_failures = 1U << 3U,   ///< servers that fail
  with_waking = 1U << 4U,     ///< cores that sleep and must be woken
  with_data = 1U << 5U        ///< jobs that read and write data
};

/// The features of a scenario, as a sum.
unsigned features_of(const scenario& model);

/// The words for features, such as "costs", "links".
std::vector<std::string> feature_words(unsigned features);

}  // namespace muster
