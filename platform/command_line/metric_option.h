#pragma once

#include <string>

#include "platform/model/metric_of_class.h"

namespace muster {

/// A bound of a metric, as --where takes it: `METRIC[CLASS] <= NUMBER` or `METRIC[CLASS] >= NUMBER`.
struct metric_bound {
  metric_of_class of;
  bool at_most = true;
  double bound = 0.0;
};

/// What is wrong with `METRIC` or `METRIC[CLASS]`, for the check of an option; empty: nothing. Any class will do.
std::string wrong_metric(const std::string& text);
/// @param text in which nothing is wrong
/// @param class_name where it names none
metric_of_class metric_in(const std::string& text, const std::string& class_name);
/// Whether the text itself names the class.
bool names_class(const std::string& text);

/// The same of a bound.
std::string wrong_bound(const std::string& text);
metric_bound bound_in(const std::string& text);

}  // namespace muster
