#pragma once

#include <string>

namespace muster {

/// A metric of a class of jobs or of a phase, in text `METRIC[CLASS]`; of all classes together `METRIC` alone.
struct metric_of_class {
  std::string metric, class_name = "all";

  /// Takes a text apart. Whether there is such a metric and such a class is for the caller to find out.
  static metric_of_class of_text(const std::string& text) {
    const std::size_t open = text.find('[');
    if (open == std::string::npos || text.back() != ']') return {text};
    return {text.substr(0, open), text.substr(open + 1, text.size() - open - 2)};
  }
  std::string text() const { return class_name == "all" ? metric : metric + "[" + class_name + "]"; }
  /// The text for headings: "METRIC of CLASS".
  std::string title() const { return class_name == "all" ? metric : metric + " of " + class_name; }

  friend bool operator==(const metric_of_class& a, const metric_of_class& b) {
    return a.metric == b.metric && a.class_name == b.class_name;
  }
};

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
