#include "platform/experiment/sensitivity.h"

#include <algorithm>

#include "platform/results/paired_differences.h"
#include "platform/toml/dotted_key.h"

namespace muster {

namespace {

bool names_a_size(const std::string& key) {
  const auto parts = split_key(key);
  return parts && parts->back() == "size";
}

}  // namespace

std::vector<std::vector<std::size_t>> families_of_sizes(const study& s) { return families_but_for(s, names_a_size); }

std::optional<estimate> sensitivity(const std::vector<measured_point>& points) {
  std::vector<const metric_series*> rates;
  std::size_t replications = 0;
  for (const measured_point& p : points) {
    rates.push_back(p.find("all", "service_rate"));
    if (!rates.back()) return std::nullopt;
    replications = std::max(replications, rates.back()->found.size());
  }
  std::vector<double> values;
  std::uint64_t jobs = 0;
  for (std::size_t r = 0; r < replications; ++r) {
    std::vector<double> of_points;
    std::uint64_t completed = 0;
    for (const metric_series* rate : rates) {
      const measurement* found = r < rate->found.size() ? rate->found[r] : nullptr;
      if (!found || !found->has_value) break;
      of_points.push_back(found->value);
      completed += found->jobs;
    }
    if (of_points.size() < points.size()) continue;
    const auto [smallest, largest] = std::minmax_element(of_points.begin(), of_points.end());
    jobs += completed;
    values.push_back((*largest - *smallest) / *smallest);
  }
  if (values.empty()) return std::nullopt;
  return estimate_of("all", "sensitivity", values, jobs);
}

}  // namespace muster
