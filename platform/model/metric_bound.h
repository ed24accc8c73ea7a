#pragma once

#include "platform/model/metric_of_class.h"

namespace muster {

/// A bound of a metric, in text `METRIC[CLASS] <= NUMBER` or `METRIC[CLASS] >= NUMBER`.
struct metric_bound {
  metric_of_class of;
  bool at_most = true;
  double bound = 0.0;

  const char* sign() const { return at_most ? "<=" : ">="; }

  friend bool operator==(const metric_bound& a, const metric_bound& b) {
    return a.of == b.of && a.at_most == b.at_most && a.bound == b.bound;
  }
};

}  // namespace muster
