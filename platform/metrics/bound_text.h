#pragma once

#include <string>

#include "platform/model/metric_of_class.h"

namespace muster {

struct time_unit;

/// Says what is wrong with the form of a bound's text, whether or not its metric, class and unit exist; empty: nothing.
std::string wrong_bound_form(const std::string& text);
/// The metric that a text bounds. @param text whose form is right
metric_of_class bounded_metric(const std::string& text);
/// Says what is wrong with the unit behind the number of a bound, if there is one; empty: nothing.
/// @param text whose form is right, of a metric that exists
/// @param own the scenario's unit of time
std::string wrong_bound_unit(const std::string& text, const time_unit& own);
/// The bound of a text, in the metric's own unit.
/// @param text whose form, metric and unit are right
/// @param own the scenario's unit of time
metric_bound bound_in(const std::string& text, const time_unit& own);
/// A bound as text: "METRIC[CLASS] <= NUMBER".
std::string to_text(const metric_bound& bound);

}  // namespace muster
