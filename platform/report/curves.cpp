#include "platform/report/curves.h"

#include <algorithm>
#include <cmath>

#include "platform/metrics/metric.h"

namespace muster {

namespace {

void add(std::vector<curve>& curves, std::vector<curve_point> curve::*points,
         const std::vector<std::vector<estimate>>& by_point, const abscissa& over, std::string_view metric,
         const std::string& class_name) {
  const auto finite = [](const std::optional<double>& value) {
    return value && std::isfinite(*value) ? value : std::nullopt;
  };
  for (std::size_t p = 0; p < by_point.size(); ++p)
    for (const estimate& e : by_point[p])
      if (const auto y = finite(e.mean); y && e.metric == metric && e.class_name == class_name)
        (curves[over.series[p]].*points).push_back({over.x[p], *y, finite(e.ci_low), finite(e.ci_high), e.marks});
}

// Where theory has no exact value of a series, its approximation.
void add_approximation(std::vector<curve>& curves, const std::vector<std::vector<estimate>>& known,
                       const abscissa& over, const std::string& metric, const std::string& class_name) {
  const metric_entry* other = approximation_of(metric);
  if (!other) return;
  std::vector<curve> approximate(curves.size());
  add(approximate, &curve::known, known, over, other->name, class_name);
  for (std::size_t n = 0; n < curves.size(); ++n)
    if (curves[n].known.empty()) curves[n].known = std::move(approximate[n].known);
}

}  // namespace

std::vector<curve> curves_of(const study_estimates& all, const abscissa& over, const std::string& metric,
                             const std::string& class_name) {
  std::vector<curve> curves;
  for (std::size_t n = 0; n < over.labels.size(); ++n) curves.push_back({over.labels[n], {}, {}, over.styles[n]});
  add(curves, &curve::measured, all.measured, over, metric, class_name);
  add(curves, &curve::known, all.known, over, metric, class_name);
  add_approximation(curves, all.known, over, metric, class_name);
  const auto by_x = [](const curve_point& a, const curve_point& b) { return a.x < b.x; };
  for (curve& c : curves) {
    std::stable_sort(c.measured.begin(), c.measured.end(), by_x);
    std::stable_sort(c.known.begin(), c.known.end(), by_x);
  }
  return curves;
}

}  // namespace muster
