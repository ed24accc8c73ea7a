#include "platform/report/curves.h"

#include <algorithm>
#include <cmath>

#include "platform/report/csv_table.h"

namespace muster {

namespace {

std::optional<double> finite(const std::string& field) {
  const auto value = number_of(field);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

void add(std::vector<curve>& curves, std::vector<curve_point> curve::*points, const estimate_table& table,
         const abscissa& over, const std::string& metric, const std::string& class_name) {
  for (const auto& row : table.text.rows) {
    if (row[table.metric] != metric || row[table.class_name] != class_name) continue;
    const std::size_t point = table.point_of(row);
    if (const std::optional<double> y = finite(row[table.estimate]))
      (curves[over.series[point]].*points)
          .push_back({over.x[point], *y, finite(row[table.low]), finite(row[table.high]),
                      table.note ? cautions::of_words(row[*table.note]) : cautions{}});
  }
}

// Where theory has no exact value of a series, its approximation.
void add_analysis(std::vector<curve>& curves, const estimate_table& known, const abscissa& over,
                  const std::string& metric, const std::string& class_name) {
  std::vector<curve> approximate(curves.size());
  add(approximate, &curve::known, known, over, metric + "_analysis", class_name);
  for (std::size_t n = 0; n < curves.size(); ++n)
    if (curves[n].known.empty()) curves[n].known = std::move(approximate[n].known);
}

}  // namespace

std::vector<curve> curves_of(const stored_results& stored, const abscissa& over, const std::string& metric,
                             const std::string& class_name) {
  std::vector<curve> curves;
  for (const std::string& label : over.labels) curves.push_back({label, {}, {}});
  add(curves, &curve::measured, stored.results, over, metric, class_name);
  if (stored.known) {
    add(curves, &curve::known, *stored.known, over, metric, class_name);
    add_analysis(curves, *stored.known, over, metric, class_name);
  }
  const auto by_x = [](const curve_point& a, const curve_point& b) { return a.x < b.x; };
  for (curve& c : curves) {
    std::stable_sort(c.measured.begin(), c.measured.end(), by_x);
    std::stable_sort(c.known.begin(), c.known.end(), by_x);
  }
  return curves;
}

}  // namespace muster
