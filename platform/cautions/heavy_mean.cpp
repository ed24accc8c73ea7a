#include "platform/cautions/heavy_mean.h"

#include <algorithm>
#include <string_view>

#include "platform/metrics/metric.h"

namespace muster {

namespace {

bool is_percentile(std::string_view metric) { return metric.size() > 4 && metric.substr(metric.size() - 4, 2) == "_p"; }

bool follows_the_largest_jobs(std::string_view metric) {
  const metric_entry* const entry = find_metric(metric);
  if (!entry || is_percentile(metric)) return false;
  return (entry->unit == "time" && entry->of_completed) || metric == "slowdown" || metric == "jobs_in_system" ||
         metric == "service_rate";
}

}  // namespace

bool is_heavy_mean(const estimate& e, const scenario& study_point) {
  const auto any_class = [&](const auto& holds) {
    return std::any_of(study_point.classes.begin(), study_point.classes.end(), holds);
  };
  if (e.metric == "slowdown" && any_class([&](const class_spec& c) {
        return (e.class_name == "all" || e.class_name == c.name) && c.size.has_small_times();
      }))
    return true;
  return follows_the_largest_jobs(e.metric) &&
         any_class([](const class_spec& c) { return c.size.infinite_moment() <= 3.0; });
}

}  // namespace muster
