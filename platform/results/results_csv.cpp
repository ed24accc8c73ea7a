#include "platform/results/results_csv.h"

#include <fmt/format.h>

#include "platform/metrics/csv_field.h"
#include "platform/metrics/metric.h"

namespace muster {

std::string csv_begin(const study& s) {
  std::string line = "scenario,point";
  for (const std::string& key : s.keys) line += "," + csv_field(key);
  return line;
}

std::string csv_begin(const study& s, std::size_t point) {
  std::string line = fmt::format("{},{}", csv_field(s.name), point);
  for (const std::string& value : s.points[point].values) line += "," + csv_field(value);
  return line;
}

std::string csv_field(const std::optional<difference>& apart) {
  if (!apart) return ",,";
  return fmt::format("{},{},{}", apart->mean, csv_field(apart->ci_low), csv_field(apart->ci_high));
}

std::string unit_of(const std::string& metric, const study& s, std::size_t point) {
  const metric_entry* found = find_metric(metric);
  return found ? found->unit_name(s.points[point].what.unit.name) : "";
}

std::string differences_csv(const study& s, const std::vector<paired_difference>& pairs) {
  // @param values of the keys, or their names
  const auto begin_of = [&](const std::string& scenario, const std::vector<std::string>& values) {
    std::string line = csv_field(scenario);
    for (std::size_t k = 0; k < s.keys.size(); ++k)
      if (!is_policy_key(s.keys[k])) line += "," + csv_field(values[k]);
    return line;
  };
  std::string text = begin_of("scenario", s.keys) +
                     ",policy_a,policy_b,class,metric,unit,difference,ci_low,ci_high,replications,note\n";
  for (const paired_difference& pair : pairs)
    for (const estimate& e : pair.differences)
      text +=
          csv_row(begin_of(s.name, s.points[pair.a].values), policy_of(s, pair.a), policy_of(s, pair.b), e.class_name,
                  e.metric, unit_of(e.metric, s, pair.a), e.mean, e.ci_low, e.ci_high, e.replications, e.marks.words());
  return text;
}

std::string results_csv(const study& s, const std::vector<std::vector<estimate>>& by_point) {
  std::string text = csv_begin(s) + ",class,metric,unit,estimate,ci_low,ci_high,replications,jobs,note\n";
  for (std::size_t p = 0; p < by_point.size(); ++p)
    for (const estimate& e : by_point[p])
      text += csv_row(csv_begin(s, p), e.class_name, e.metric, unit_of(e.metric, s, p), e.mean, e.ci_low, e.ci_high,
                      e.replications, e.jobs, e.marks.words());
  return text;
}

std::string presence_csv(const study& s, const std::vector<std::vector<presence_sample>>& by_point) {
  std::string text = csv_begin(s) + ",time,class,jobs\n";
  for (std::size_t p = 0; p < by_point.size(); ++p)
    for (const presence_sample& sample : by_point[p])
      text += csv_row(csv_begin(s, p), sample.time, sample.class_name, sample.jobs);
  return text;
}

}  // namespace muster
