#include "platform/inference/paired_differences.h"

#include <algorithm>

#include "platform/metrics/metric.h"

namespace muster {

std::vector<estimate> differences(const measured_point& a, const measured_point& b) {
  std::vector<estimate> all;
  for (const metric_series& of_a : a.series())
    if (const metric_series* of_b = b.find(of_a.class_name, of_a.metric); of_b && !is_phase(of_a.class_name))
      all.push_back(difference_of(of_a, *of_b));
  return all;
}

std::optional<estimate> sensitivity(const std::vector<const measured_point*>& points) {
  std::vector<const metric_series*> rates;
  for (const measured_point* p : points) {
    rates.push_back(p->find("all", "service_rate"));
    if (!rates.back()) return std::nullopt;
  }
  const estimate e = estimate_over(rates, "sensitivity", [](const std::vector<double>& of_points) {
    const auto [smallest, largest] = std::minmax_element(of_points.begin(), of_points.end());
    return (*largest - *smallest) / *smallest;
  });
  return e.mean ? std::optional(e) : std::nullopt;
}

}  // namespace muster
