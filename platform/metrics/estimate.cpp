#include "platform/metrics/estimate.h"

#include <algorithm>
#include <cmath>

#include "platform/metrics/jackknife.h"
#include "platform/metrics/metric.h"

namespace muster {

std::optional<double> estimate::relative_half_width() const {
  if (!ci_low) return std::nullopt;
  const double half = std::max(*mean - *ci_low, *ci_high - *mean);
  return half == 0.0 ? 0.0 : half / std::abs(*mean);
}

namespace {

constexpr const char* response_time = "response_time";

bool has_value(const measurement* m) { return m && m->has_value; }

replicated_values measured_values(const metric_series& s) {
  replicated_values all;
  for (std::size_t r = 0; r < s.measured.size(); ++r)
    if (has_value(s.measured[r])) all.add(r, s.measured[r]->value, s.measured[r]->parts);
  return all;
}

bool has_parts_everywhere(const metric_series& s) {
  return std::all_of(s.measured.begin(), s.measured.end(), has_value) && !measured_values(s).parts.empty();
}

mean_interval interval_of(const replicated_values& estimated, double mean) {
  constexpr std::size_t fewest = 10;
  if (estimated.values.size() < fewest || estimated.parts.empty()) return students_interval(estimated.values);
  mean_interval between = skewed_interval(estimated.values, estimated.parts, estimated.fitted);
  // Where control variates explain all variance, only the rounding of times to ticks is left.
  const double rounding = estimated.fitted > 0 ? 1e-6 * std::abs(mean) : 0.0;
  between.low = std::min(between.low, mean - rounding);
  between.high = std::max(between.high, mean + rounding);
  return between;
}

}  // namespace

estimate estimate_of(std::string class_name, std::string metric, const std::vector<double>& values,
                     std::uint64_t jobs) {
  replicated_values estimated;
  for (std::size_t r = 0; r < values.size(); ++r) estimated.add(r, values[r], {});
  return estimate_of(std::move(class_name), std::move(metric), estimated, jobs);
}

estimate estimate_of(std::string class_name, std::string metric, const replicated_values& estimated,
                     std::uint64_t jobs) {
  estimate e;
  e.class_name = std::move(class_name);
  e.metric = std::move(metric);
  e.replications = static_cast<std::uint32_t>(estimated.values.size());
  e.jobs = jobs;
  if (estimated.values.empty()) return e;
  e.mean = mean_of(estimated.values);
  e.variance_factor = estimated.variance_factor;
  if (estimated.values.size() == 1) return e;
  const mean_interval between = interval_of(estimated, *e.mean);
  e.ci_low = std::min(*e.mean, between.low - estimated.bias);
  e.ci_high = std::max(*e.mean, between.high - estimated.bias);
  return e;
}

std::vector<double> metric_series::values() const {
  std::vector<double> all;
  for (const measurement* m : measured)
    if (has_value(m)) all.push_back(m->value);
  return all;
}

estimate metric_series::to_estimate() const {
  estimate e = estimate_of(class_name, metric, estimated, 0);
  for (const measurement* m : measured) {
    if (!m) continue;
    e.jobs += m->jobs;
    e.marks.add(m->marks);
  }
  if (e.replications == 1 && has_value(measured.front()) && measured.front()->half_width) {
    e.ci_low = *e.mean - *measured.front()->half_width;
    e.ci_high = *e.mean + *measured.front()->half_width;
  }
  const metric_entry* const entry = find_metric(metric);
  if (!entry || !e.ci_low) return e;
  if (on_other_scale) {
    e.ci_low = std::min(*e.ci_low, on_other_scale->low);
    e.ci_high = std::max(*e.ci_high, on_other_scale->high);
  }
  if (entry->whole_numbers) {
    e.ci_low = std::floor(*e.ci_low);
    e.ci_high = std::ceil(*e.ci_high);
  }
  e.ci_low = std::max(*e.ci_low, std::min(*e.mean, entry->range.least));
  e.ci_high = std::min(*e.ci_high, std::max(*e.mean, entry->range.most));
  return e;
}

replicated_values subtract(const replicated_values& a, const replicated_values& b) {
  replicated_values apart;
  const auto parts_of = [](const replicated_values& of, std::size_t at) {
    const std::size_t count = of.parts.size() / of.values.size();
    const auto first = of.parts.begin() + static_cast<std::ptrdiff_t>(at * count);
    return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(count));
  };
  for (std::size_t i = 0, j = 0; i < a.values.size() && j < b.values.size();) {
    const std::size_t of_a = a.replications[i], of_b = b.replications[j];
    if (of_a == of_b) {
      std::vector<double> parts = parts_of(a, i);
      const std::vector<double> others = parts_of(b, j);
      if (parts.size() != others.size()) parts.clear();
      for (std::size_t part = 0; part < parts.size(); ++part) parts[part] -= others[part];
      apart.add(of_a, a.values[i] - b.values[j], parts);
    }
    i += of_a <= of_b ? 1 : 0;
    j += of_b <= of_a ? 1 : 0;
  }
  apart.fitted = std::max(a.fitted, b.fitted);
  apart.bias = a.bias - b.bias;
  return apart;
}

estimate difference_of(const metric_series& a, const metric_series& b) {
  estimate e = estimate_of(a.class_name, a.metric, subtract(a.estimated, b.estimated), 0);
  for (const std::vector<const measurement*>& row : in_common({&a, &b}))
    for (const measurement* m : row) {
      e.jobs += m->jobs;
      e.marks.add(m->marks);
    }
  return e;
}

std::vector<std::vector<const measurement*>> in_common(const std::vector<const metric_series*>& all) {
  std::size_t replications = all.front()->measured.size();
  for (const metric_series* s : all) replications = std::min(replications, s->measured.size());
  std::vector<std::vector<const measurement*>> rows;
  for (std::size_t r = 0; r < replications; ++r) {
    std::vector<const measurement*> row;
    row.reserve(all.size());
    for (const metric_series* s : all) row.push_back(s->measured[r]);
    if (std::all_of(row.begin(), row.end(), has_value)) rows.push_back(std::move(row));
  }
  return rows;
}

measured_point::measured_point(std::vector<replication_result> replications) : replications_(std::move(replications)) {
  for (std::size_t r = 0; r < replications_.size(); ++r)
    for (const measurement& m : replications_[r].measurements) {
      const auto [place, is_new] = places_.try_emplace({m.class_name, m.metric}, series_.size());
      if (is_new) series_.push_back({m.class_name, m.metric, std::vector<const measurement*>(replications_.size())});
      series_[place->second].measured[r] = &m;
    }
  add_estimated_values();
}

bool shares_control_variates(const std::string& metric) {
  const metric_entry* const entry = find_metric(metric);
  return entry && entry->unit == "time";
}

void measured_point::add_estimated_values() {
  std::vector<const std::vector<control_variate>*> controls;
  for (const replication_result& r : replications_) controls.push_back(&r.controls);
  std::vector<replicated_values> response_times;
  for (const metric_series& s : series_)
    if (s.metric == response_time && has_parts_everywhere(s)) response_times.push_back(measured_values(s));
  if (!use(control_set(controls, response_times))) use({});
  for (metric_series& s : series_) {
    const metric_entry* const entry = find_metric(s.metric);
    if (!entry) continue;
    if (entry->of_class_means) estimate_over_classes(s, *entry);
    if (!entry->denominator.empty())
      s.estimated = ratio_of_means(s, find(s.class_name, std::string(entry->denominator)));
  }
}

bool measured_point::use(const control_set& controls) {
  constexpr double worth_it = 1.0 / 0.8;
  std::map<std::string, bool> taken;  // whether a metric has them taken out, so that the classes still add up to all
  for (metric_series& s : series_) {
    const replicated_values measured = measured_values(s);
    const metric_entry* const entry = find_metric(s.metric);
    const metric_range range = entry ? entry->range : metric_range{};
    replicated_values rest = measured;
    if (!measured.parts.empty() && (!entry || entry->controlled)) rest = controls.taken_out_of(measured);
    const bool possible = rest.fitted == 0 || range.contains(mean_of(rest.values));
    if (!possible && shares_control_variates(s.metric)) return false;
    const bool worth = shares_control_variates(s.metric) || rest.variance_factor >= worth_it;
    const auto of_metric = taken.try_emplace(s.metric, worth).first;  // all jobs come before the classes
    of_metric->second = of_metric->second && possible;
    s.estimated = std::move(rest);
  }
  for (metric_series& s : series_)
    if (!taken.at(s.metric)) s.estimated = measured_values(s);
  return true;
}

namespace {

// The interval of an index of means by the root of its distance from its greatest value: near that, where the means are
// nearly equal, the root is the length of a vector that is linear in them.
mean_interval by_root_of_distance(const std::vector<replicated_values>& classes, std::size_t fitted,
                                  const metric_entry& metric) {
  const auto root = [&](const std::vector<double>& means) {
    return std::sqrt(std::max(0.0, metric.range.most - metric.of_class_means(means)));
  };
  replicated_values roots = jackknife(classes, root);
  roots.fitted = roots.parts.empty() ? 0 : fitted;
  const mean_interval between = interval_of(roots, mean_of(roots.values));
  const auto index = [&](double at) { return metric.range.most - at * at; };
  return {index(between.high), index(std::max(0.0, between.low))};
}

}  // namespace

void measured_point::estimate_over_classes(metric_series& s, const metric_entry& metric) const {
  s.estimated = measured_values(s);
  const replicated_values& own = s.estimated;
  std::vector<replicated_values> classes;
  std::size_t fitted = 0;
  for (const metric_series& of : series_) {
    if (of.metric != response_time || of.class_name == "all") continue;
    fitted = std::max(fitted, of.estimated.fitted);
    if (of.estimated.replications == own.replications) {
      classes.push_back(of.estimated);
      continue;
    }
    replicated_values& common = classes.emplace_back();
    for (std::size_t at = 0; at < of.estimated.values.size(); ++at)
      if (std::binary_search(own.replications.begin(), own.replications.end(), of.estimated.replications[at]))
        common.add(of.estimated.replications[at], of.estimated.values[at], {});
    if (common.values.size() != own.values.size()) return;
  }
  if (classes.empty() || own.values.size() < 2) return;
  s.estimated = jackknife(classes, metric.of_class_means);
  s.estimated.fitted = s.estimated.parts.empty() ? 0 : fitted;
  s.on_other_scale = by_root_of_distance(classes, fitted, metric);
}

// The ratios are replaced by their linear form, whose mean is the ratio of the means: ratio + (r - ratio) w / mean(w)
// for a ratio r with the denominator w.
replicated_values measured_point::ratio_of_means(const metric_series& s, const metric_series* denominator) const {
  replicated_values ratios = measured_values(s);
  if (!denominator || ratios.values.size() < 2) return ratios;
  replicated_values weights;
  std::vector<double> weighted;
  for (std::size_t i = 0; i < ratios.values.size(); ++i) {
    const measurement* const weight = denominator->measured[ratios.replications[i]];
    if (!has_value(weight)) return ratios;
    weights.add(ratios.replications[i], weight->value, weight->parts);
    weighted.push_back(ratios.values[i] * weight->value);
  }
  const double mean_weight = mean_of(weights.values);
  if (!(mean_weight > 0.0)) return ratios;
  const double ratio = mean_of(weighted) / mean_weight;
  const auto make_linear = [&](std::vector<double>& values, const std::vector<double>& weight) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = ratio + (values[i] - ratio) * weight[i] / mean_weight;
  };
  make_linear(ratios.values, weights.values);
  if (weights.parts.size() != ratios.parts.size()) ratios.parts.clear();
  make_linear(ratios.parts, weights.parts);
  return ratios;
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

double measured_point::correlation_of_parts() const {
  constexpr std::size_t fewest = 10;
  const metric_series* const s = find("all", response_time);
  if (!s || s->measured.size() < fewest || !has_parts_everywhere(*s)) return 0.0;
  std::vector<double> before, after;
  for (const measurement* m : s->measured) {
    before.insert(before.end(), m->parts.begin(), m->parts.end() - 1);
    after.insert(after.end(), m->parts.begin() + 1, m->parts.end());
  }
  const double scale = std::sqrt(variance_of(before) * variance_of(after));
  return scale > 0.0 ? covariance_of(before, after) / scale : 0.0;
}

}  // namespace muster
