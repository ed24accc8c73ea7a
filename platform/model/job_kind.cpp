#include "platform/model/job_kind.h"

#include <algorithm>

#include "muster/policies/catalogue.h"

namespace muster {

job_kind kind_of_jobs(const scenario& what) {
  const auto has_units = [](const class_spec& c) { return c.slotted.has_value(); };
  if (!what.classes.empty() && std::all_of(what.classes.begin(), what.classes.end(), has_units))
    return job_kind::slotted;
  const policy_entry* const entry = find_policy(what.policy.name);
  return entry && entry->jobs() == job_kind::pooled ? job_kind::pooled : job_kind::rigid;
}

bool has_optimum(const scenario& what) {
  if (!is_slotted(what) || !what.arrivals.finite()) return false;
  return std::all_of(what.classes.begin(), what.classes.end(),
                     [](const class_spec& c) { return !c.slotted->worth || c.slotted->worth->concave(); }) &&
         std::all_of(what.arrivals.list.begin(), what.arrivals.list.end(),
                     [](const listed_job& j) { return j.worth->concave(); });
}

}  // namespace muster
