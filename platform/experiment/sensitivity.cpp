#include "platform/experiment/sensitivity.h"

#include <algorithm>
#include <map>

#include "platform/toml/dotted_key.h"

namespace muster {

namespace {

bool names_a_size(const std::string& key) {
  const auto parts = split_key(key);
  return parts && parts->back() == "size";
}

const measurement* service_rate(const replication_result& result) {
  const auto& all = result.measurements;
  const auto found = std::find_if(all.begin(), all.end(), [](const measurement& m) {
    return m.class_name == "all" && m.metric == "service_rate" && m.has_value;
  });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

std::vector<std::vector<std::size_t>> families_of_sizes(const study& s) {
  std::map<std::vector<std::string>, std::vector<std::size_t>> points_of;  // by what the other keys have put in
  for (std::size_t p = 0; p < s.points.size(); ++p) {
    std::vector<std::string> others;
    for (std::size_t k = 0; k < s.keys.size(); ++k)
      if (!names_a_size(s.keys[k])) others.push_back(s.points[p].values[k]);
    points_of[others].push_back(p);
  }
  std::vector<std::vector<std::size_t>> families;
  for (auto& [others, points] : points_of)
    if (points.size() > 1) families.push_back(std::move(points));
  return families;
}

std::optional<estimate> sensitivity(const std::vector<std::vector<replication_result>>& points) {
  std::vector<double> values;
  std::uint64_t jobs = 0;
  for (std::size_t r = 0; r < points.front().size(); ++r) {
    std::vector<double> rates;
    std::uint64_t completed = 0;
    for (const std::vector<replication_result>& replications : points) {
      const measurement* found = r < replications.size() ? service_rate(replications[r]) : nullptr;
      if (!found) continue;
      rates.push_back(found->value);
      completed += found->jobs;
    }
    if (rates.size() < points.size()) continue;
    const auto [smallest, largest] = std::minmax_element(rates.begin(), rates.end());
    jobs += completed;
    values.push_back((*largest - *smallest) / *smallest);
  }
  if (values.empty()) return std::nullopt;
  return estimate_of("all", "sensitivity", values, jobs);
}

}  // namespace muster
