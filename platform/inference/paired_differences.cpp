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
  std::vector<double> values;
  std::uint64_t jobs = 0;
  cautions marks;
  for (const std::vector<const measurement*>& row : in_common(rates)) {
    const auto [smallest, largest] = std::minmax_element(
        row.begin(), row.end(), [](const measurement* a, const measurement* b) { return a->value < b->value; });
    values.push_back(((*largest)->value - (*smallest)->value) / (*smallest)->value);
    for (const measurement* m : row) {
      jobs += m->jobs;
      marks.add(m->marks);
    }
  }
  estimate e = estimate_of("all", "sensitivity", values, jobs);
  e.marks = marks;
  return e.mean ? std::optional(e) : std::nullopt;
}

}  // namespace muster
