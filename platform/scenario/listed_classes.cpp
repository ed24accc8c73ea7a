#include "platform/scenario/listed_classes.h"

#include <algorithm>

#include "platform/random/distribution.h"

namespace muster {

void count_listed_jobs(scenario& model, const timed_jobs& all) {
  for (const timed_job& j : all) {
    listed_need& need = model.classes[j.type].listed[j.need];
    ++need.jobs;
    need.size += std::min(j.size, model.arrivals.estimates.limit(j.size, j.requested));
  }
  for (class_spec& c : model.classes) {
    double size = 0.0, jobs = 0.0;
    for (listed_need& need : c.listed) {
      size += need.size;
      jobs += static_cast<double>(need.jobs);
      if (need.jobs > 0) need.size /= static_cast<double>(need.jobs);
    }
    c.share = jobs / static_cast<double>(all.size());
    c.size = distribution::make("deterministic", {{"value", {jobs > 0.0 ? size / jobs : 1.0}}});
  }
}

}  // namespace muster
