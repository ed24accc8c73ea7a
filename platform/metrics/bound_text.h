#pragma once

#include <string>

#include "platform/model/metric_bound.h"

namespace muster {

/// What is wrong with the text of a bound; empty: nothing, whether or not there is such a metric and such a class.
std::string wrong_bound_form(const std::string& text);
/// @param text whose form is right
metric_bound bound_in(const std::string& text);
/// "METRIC[CLASS] <= NUMBER"
std::string to_text(const metric_bound& bound);

}  // namespace muster
