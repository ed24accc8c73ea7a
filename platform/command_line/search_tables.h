#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "platform/inference/significance.h"
#include "platform/metrics/estimate.h"
#include "platform/search/scenario_search.h"
#include "platform/tables/number_text.h"
#include "platform/tables/table_layout.h"

namespace muster {

/// @name Parts of what `tune` and `crossover` print
/// @{
/// The mean of what replications have found, with its 95 % interval; nothing where there are none.
inline std::optional<interval_value> interval_of(const replicated_values& found) {
  const estimate e = estimate_of("", "", found, 0);
  return e.mean ? std::optional(interval_value{*e.mean, e.ci_low, e.ci_high}) : std::nullopt;
}
inline std::optional<interval_value> interval_of(const std::vector<double>& values) {
  replicated_values found;
  for (std::size_t r = 0; r < values.size(); ++r) found.add(r, values[r], {});
  return interval_of(found);
}
/// The difference with its 95 % interval.
inline std::optional<interval_value> interval_of(const std::optional<difference>& apart) {
  return apart ? std::optional(interval_value{apart->mean, apart->ci_low, apart->ci_high}) : std::nullopt;
}

/// An estimate as people read it: without its interval where that tells of rounded sums alone.
inline std::optional<interval_value> shown_interval(const std::optional<interval_value>& found) {
  const bool rounding = found && found->ci_low && is_rounding(found->mean - *found->ci_low, found->mean);
  return rounding ? std::optional(interval_value{found->mean}) : found;
}
inline std::optional<interval_value> shown_interval(const std::vector<double>& values) {
  return shown_interval(interval_of(values));
}

/// The first columns of what programs get of a point: scenario, point, the sweep's keys.
template <class Row>
table_layout<Row> layout_of_point(const searched_study& request, std::string name) {
  table_layout<Row> layout(std::move(name));
  layout.text("scenario", [&](const Row&) { return request.subject->name; })
      .whole("point", [&](const Row&) { return request.point; })
      .settings(request.subject->keys, [&](const Row&) { return request.subject->points[request.point].values; });
  return layout;
}

/// Three columns of numbers: a mean and the ends of its interval.
/// @param before_ends stands before `ci_low` and `ci_high` in their names
/// @param interval a function of the row, which returns an optional interval_value
template <class Row, class Interval>
table_layout<Row>& add_numbers(table_layout<Row>& layout, const char* name, const std::string& before_ends,
                               Interval interval) {
  const auto of = [interval](const auto& value) {
    return [interval, value](const Row& row) {
      const std::optional<interval_value> found = interval(row);
      return found ? cell(std::invoke(value, *found)) : cell();
    };
  };
  return layout.number(name, of(&interval_value::mean))
      .number(before_ends + "ci_low", of(&interval_value::ci_low))
      .number(before_ends + "ci_high", of(&interval_value::ci_high));
}

/// A line that tells how the points of a sweep are searched; empty where there is one point.
inline std::string line_on_sweep(const study& s, const char* searched) {
  return s.points.size() == 1
             ? ""
             : fmt::format("each of the {} points of the sweep is {} by itself\n", s.points.size(), searched);
}
/// @}

}  // namespace muster
