#pragma once

#include <string>

namespace muster {

/// A metric of a class, as a search goes by it.
struct search_metric {
  std::string metric;
  std::string class_name = "all";

  /// `METRIC[CLASS]`, or `METRIC` of all classes.
  std::string text() const { return class_name == "all" ? metric : metric + "[" + class_name + "]"; }
  bool operator==(const search_metric& other) const { return metric == other.metric && class_name == other.class_name; }
};

}  // namespace muster
