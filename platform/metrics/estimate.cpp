#include "platform/metrics/estimate.h"

#include <algorithm>
#include <cmath>

#include "platform/metrics/sample.h"

namespace muster {

estimate estimate_of(std::string class_name, std::string metric, const std::vector<double>& values,
                     std::uint64_t jobs) {
  estimate e{std::move(class_name), std::move(metric), {}, {}, {}, static_cast<std::uint32_t>(values.size()), jobs, {}};
  if (values.empty()) return e;
  e.mean = mean_of(values);
  if (values.size() == 1) return e;
  const auto n = static_cast<double>(values.size());
  const double half = students_quantile(n - 1.0, 0.975) * std::sqrt(variance_of(values) / n);
  e.ci_low = *e.mean - half;
  e.ci_high = *e.mean + half;
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
  estimate e = estimate_of(class_name, metric, values(), 0);
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

std::vector<std::vector<const measurement*>> in_common(const std::vector<const metric_series*>& all) {
  std::size_t replications = all.front()->found.size();
  for (const metric_series* s : all) replications = std::min(replications, s->found.size());
  std::vector<std::vector<const measurement*>> rows;
  for (std::size_t r = 0; r < replications; ++r) {
    std::vector<const measurement*> row;
    row.reserve(all.size());
    for (const metric_series* s : all) row.push_back(s->found[r]);
    if (std::all_of(row.begin(), row.end(), has_value)) rows.push_back(std::move(row));
  }
  return rows;
}

estimate estimate_over(const std::vector<const metric_series*>& all, const std::string& metric,
                       const std::function<double(const std::vector<double>&)>& combined) {
  std::vector<double> values;
  std::uint64_t jobs = 0;
  cautions marks;
  for (const std::vector<const measurement*>& row : in_common(all)) {
    std::vector<double> of_replication;
    for (const measurement* m : row) {
      of_replication.push_back(m->value);
      jobs += m->jobs;
      marks.add(m->marks);
    }
    values.push_back(combined(of_replication));
  }
  estimate e = estimate_of(all.front()->class_name, metric, values, jobs);
  e.marks = marks;
  return e;
}

measured_point::measured_point(std::vector<replication_result> replications) : replications_(std::move(replications)) {
  for (std::size_t r = 0; r < replications_.size(); ++r)
    for (const measurement& m : replications_[r].measurements) {
      const auto [place, is_new] = places_.try_emplace({m.class_name, m.metric}, series_.size());
      if (is_new) series_.push_back({m.class_name, m.metric, std::vector<const measurement*>(replications_.size())});
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
