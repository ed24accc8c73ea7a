#include "platform/cautions/point_cautions.h"

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

point_cautions::point_cautions(const scenario& model, const stability& limits, const measured_point& found)
    : window_(measured_window(model, limits).seen_in(found)),
      unstable_(limits.answer == stability::verdict::unstable),
      growing_(window_.is_growing(found)),
      short_(!growing_ && window_.is_short()) {}

void point_cautions::mark(std::vector<estimate>& estimates, const scenario& model) const {
  for (estimate& e : estimates) {
    if (unstable_) e.marks.add(caution::unstable);
    if (growing_) e.marks.add(caution::growing);
    if (short_ || window_.is_short_for(e)) e.marks.add(caution::short_window);
    if (is_heavy_mean(e, model)) e.marks.add(caution::heavy);
  }
}

}  // namespace muster
