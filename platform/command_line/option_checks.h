#pragma once

#include <functional>
#include <string>
#include <vector>

#include "platform/model/metric_of_class.h"

namespace muster {

/// "a, b or c". @param names at least two
std::string in_words(const std::vector<std::string>& names);

/// @name Checks of an option's text
/// Each check returns what is wrong with the text, or an empty string.
/// @{
/// The check of a name that must be one of these.
/// @param what such as "metric"
std::function<std::string(const std::string&)> known_name(const std::string& what,
                                                          const std::vector<std::string>& names);
/// Checks `METRIC` or `METRIC[CLASS]`. Any class will do.
std::string wrong_metric(const std::string& text);
/// Checks the text of a bound, see metric_bound.
std::string wrong_bound(const std::string& text);
/// @}

/// The metric of an option's text.
/// @param text in which nothing is wrong
/// @param class_name where it names none
metric_of_class metric_in(const std::string& text, const std::string& class_name);
/// Whether the text itself names the class.
bool names_class(const std::string& text);

}  // namespace muster
