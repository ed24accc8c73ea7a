#include "platform/model/job_kind.h"

#include <algorithm>

#include "muster/policies/catalogue.h"

namespace muster {

job_kind kind_of_jobs(const scenario& model) {
  const auto has_units = [](const class_spec& c) { return c.slotted.has_value(); };
  if (!model.classes.empty() && std::all_of(model.classes.begin(), model.classes.end(), has_units))
    return job_kind::slotted;
  const policy_entry* const entry = find_policy(model.policy.name);
  return entry && entry->jobs() == job_kind::pooled ? job_kind::pooled : job_kind::rigid;
}

bool has_optimum(const scenario& model) {
  if (!is_slotted(model) || !model.arrivals.finite() || model.speeds_change()) return false;
  return std::all_of(model.classes.begin(), model.classes.end(),
                     [](const class_spec& c) { return !c.slotted->worth || c.slotted->worth->concave(); }) &&
         std::all_of(model.arrivals.list.begin(), model.arrivals.list.end(),
                     [](const listed_job& j) { return j.worth->concave(); });
}

}  // namespace muster
