#pragma once

#include <string>

#include "platform/model/metric_of_class.h"

namespace muster {

/// What is wrong with `METRIC` or `METRIC[CLASS]`, for the check of an option; empty: nothing. Any class will do.
std::string wrong_metric(const std::string& text);
/// @param text in which nothing is wrong
/// @param class_name where it names none
metric_of_class metric_in(const std::string& text, const std::string& class_name);
/// Whether the text itself names the class.
bool names_class(const std::string& text);

/// What is wrong with the text of a bound, see metric_bound, for the check of an option.
std::string wrong_bound(const std::string& text);

}  // namespace muster
