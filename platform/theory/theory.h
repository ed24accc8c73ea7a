#pragma once

#include <string>
#include <vector>

#include "platform/metrics/estimate.h"

namespace muster {

/// Results of a point that are computed without simulation.
struct theory {
  /// Values by class in the order of the scenario, then of `all`, without replications and intervals. Empty: no answer.
  std::vector<estimate> values;
  std::string about;  ///< a sentence: what the values are and when they are exact, or why there are none

  void add(const std::string& class_name, const std::string& metric, double value) {
    estimate& added = values.emplace_back();
    added.class_name = class_name;
    added.metric = metric;
    added.mean = value;
  }
};

}  // namespace muster
