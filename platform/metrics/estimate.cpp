#include "platform/metrics/estimate.h"

#include <algorithm>
#include <cmath>

#include "platform/metrics/sample.h"
#include "platform/metrics/skewed_interval.h"

namespace muster {

std::optional<double> estimate::relative_half_width() const {
  if (!ci_low) return std::nullopt;
  const double half = std::max(*mean - *ci_low, *ci_high - *mean);
  return half == 0.0 ? 0.0 : half / std::abs(*mean);
}

estimate estimate_of(std::string class_name, std::string metric, const std::vector<double>& values,
                     std::uint64_t jobs) {
  return estimate_of(std::move(class_name), std::move(metric), replicated_values{values}, jobs);
}

estimate estimate_of(std::string class_name, std::string metric, const replicated_values& found, std::uint64_t jobs) {
  constexpr std::size_t fewest = 10;
  estimate e{
      std::move(class_name), std::move(metric), {}, {}, {}, static_cast<std::uint32_t>(found.values.size()), jobs, {}};
  if (found.values.empty()) return e;
  e.mean = mean_of(found.values);
  if (found.values.size() == 1) return e;
  mean_interval between{};
  if (found.values.size() < fewest || found.parts.empty()) {
    between = students_interval(found.values);
  } else {
    const controlled_values rest = take_out_controls(found);
    e.mean = mean_of(rest.values);
    e.variance_factor = rest.variance_factor;
    between = skewed_interval(rest.values, rest.parts, rest.fitted);
    // Where a control variate explains all, what is left is the rounding of times to ticks.
    const double rounding = rest.fitted > 0 ? 1e-6 * std::abs(*e.mean) : 0.0;
    between.low = std::min(between.low, *e.mean - rounding);
    between.high = std::max(between.high, *e.mean + rounding);
  }
  e.ci_low = between.low;
  e.ci_high = between.high;
  return e;
}

namespace {
bool has_value(const measurement* m) { return m && m->has_value; }
}  // namespace

std::vector<double> metric_series::values() const {
  std::vector<double> all;
  for (const measurement* m : found)
    if (has_value(m)) all.push_back(m->value);
  return all;
}

estimate metric_series::to_estimate() const {
  replicated_values all;
  for (std::size_t r = 0; r < found.size(); ++r)
    if (has_value(found[r])) all.add(found[r]->value, found[r]->parts, controls.empty() ? nullptr : controls[r]);
  estimate e = estimate_of(class_name, metric, all, 0);
  for (const measurement* m : found) {
    if (!m) continue;
    e.jobs += m->jobs;
    e.marks.add(m->marks);
  }
  if (e.replications == 1 && has_value(found.front()) && found.front()->half_width) {
    e.ci_low = *e.mean - *found.front()->half_width;
    e.ci_high = *e.mean + *found.front()->half_width;
  }
  return e;
}

namespace {

// The rows of in_common(), by replication; empty where it is none of them.
std::vector<std::vector<const measurement*>> by_replication(const std::vector<const metric_series*>& all) {
  std::size_t replications = all.front()->found.size();
  for (const metric_series* s : all) replications = std::min(replications, s->found.size());
  std::vector<std::vector<const measurement*>> rows(replications);
  for (std::size_t r = 0; r < replications; ++r) {
    rows[r].reserve(all.size());
    for (const metric_series* s : all) rows[r].push_back(s->found[r]);
    if (!std::all_of(rows[r].begin(), rows[r].end(), has_value)) rows[r].clear();
  }
  return rows;
}

// Computed from each part of those measurements; empty where not all of them have parts.
std::vector<double> parts_of(const std::vector<const measurement*>& row,
                             const std::function<double(const std::vector<double>&)>& combined) {
  std::vector<double> parts;
  for (std::size_t part = 0; part < row.front()->parts.size(); ++part) {
    std::vector<double> of_part;
    for (const measurement* m : row)
      if (part < m->parts.size()) of_part.push_back(m->parts[part]);
    if (of_part.size() < row.size()) return {};
    parts.push_back(combined(of_part));
  }
  return parts;
}

}  // namespace

std::vector<std::vector<const measurement*>> in_common(const std::vector<const metric_series*>& all) {
  std::vector<std::vector<const measurement*>> rows = by_replication(all);
  rows.erase(std::remove_if(rows.begin(), rows.end(), [](const auto& row) { return row.empty(); }), rows.end());
  return rows;
}

estimate estimate_over(const std::vector<const metric_series*>& all, const std::string& metric,
                       const std::function<double(const std::vector<double>&)>& combined, dependence kind) {
  replicated_values found;
  std::uint64_t jobs = 0;
  cautions marks;
  const std::vector<std::vector<const measurement*>> rows = by_replication(all);
  const auto& controls = all.front()->controls;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::vector<const measurement*>& row = rows[r];
    if (row.empty()) continue;
    std::vector<double> of_replication;
    for (const measurement* m : row) {
      of_replication.push_back(m->value);
      jobs += m->jobs;
      marks.add(m->marks);
    }
    const bool linear = kind == dependence::linear;
    found.add(combined(of_replication), linear ? parts_of(row, combined) : std::vector<double>{},
              linear && !controls.empty() ? controls[r] : nullptr);
  }
  estimate e = estimate_of(all.front()->class_name, metric, found, jobs);
  e.marks = marks;
  return e;
}

measured_point::measured_point(std::vector<replication_result> replications) : replications_(std::move(replications)) {
  std::vector<const std::vector<control_variate>*> controls;
  for (const replication_result& r : replications_) controls.push_back(&r.controls);
  for (std::size_t r = 0; r < replications_.size(); ++r)
    for (const measurement& m : replications_[r].measurements) {
      const auto [place, is_new] = places_.try_emplace({m.class_name, m.metric}, series_.size());
      if (is_new)
        series_.push_back({m.class_name, m.metric, std::vector<const measurement*>(replications_.size()), controls});
      series_[place->second].found[r] = &m;
    }
}

const metric_series* measured_point::find(const std::string& class_name, const std::string& metric) const {
  const auto place = places_.find({class_name, metric});
  return place == places_.end() ? nullptr : &series_[place->second];
}

std::vector<estimate> measured_point::estimates() const {
  std::vector<estimate> all;
  for (const metric_series& s : series_) all.push_back(s.to_estimate());
  return all;
}

}  // namespace muster
