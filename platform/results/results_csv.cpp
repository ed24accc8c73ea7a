#include "platform/results/results_csv.h"

#include <fmt/format.h>

#include "platform/metrics/csv_field.h"
#include "platform/metrics/metric.h"

namespace muster {

namespace {

std::string unit_of(const std::string& metric, const std::string& time_unit) {
  const metric_entry* found = find_metric(metric);
  return found ? found->unit_name(time_unit) : "";
}

}  // namespace

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

std::string csv_header(const study& s) {
  return csv_begin(s) + ",class,metric,unit,estimate,ci_low,ci_high,replications,jobs,note\n";
}

std::string csv_rows(const study& s, std::size_t point, const std::vector<estimate>& estimates) {
  std::string rows;
  for (const estimate& e : estimates)
    rows += csv_row(csv_begin(s, point), e.class_name, e.metric, unit_of(e.metric, s.points[point].what.unit.name),
                    e.mean, e.ci_low, e.ci_high, e.replications, e.jobs, e.marks.words());
  return rows;
}

std::string differences_csv_header(const study& s) {
  std::string line = "scenario";
  for (const std::string& key : s.keys)
    if (!is_policy_key(key)) line += "," + csv_field(key);
  return line + ",policy_a,policy_b,class,metric,unit,difference,ci_low,ci_high,replications,note\n";
}

std::string differences_csv_rows(const study& s, const paired_difference& pair) {
  std::string begin = csv_field(s.name);
  for (std::size_t k = 0; k < s.keys.size(); ++k)
    if (!is_policy_key(s.keys[k])) begin += "," + csv_field(s.points[pair.a].values[k]);
  std::string rows;
  for (const estimate& e : pair.differences)
    rows += csv_row(begin, policy_of(s, pair.a), policy_of(s, pair.b), e.class_name, e.metric,
                    unit_of(e.metric, s.points[pair.a].what.unit.name), e.mean, e.ci_low, e.ci_high, e.replications,
                    e.marks.words());
  return rows;
}

std::string presence_csv_header(const study& s) { return csv_begin(s) + ",time,class,jobs\n"; }

std::string presence_csv_rows(const study& s, std::size_t point, const std::vector<presence_sample>& samples) {
  std::string rows;
  for (const presence_sample& p : samples) rows += csv_row(csv_begin(s, point), p.time, p.class_name, p.jobs);
  return rows;
}

}  // namespace muster
