#include "platform/simulation/offline_jobs.h"

#include <algorithm>

#include "platform/scenario/class_table.h"
#include "platform/simulation/scenario_workload.h"

namespace muster {

bool has_optimum(const scenario& what) {
  if (!what.arrivals.finite()) return false;
  return std::all_of(what.classes.begin(), what.classes.end(),
                     [](const class_spec& c) { return !c.slotted->worth || c.slotted->worth->concave(); }) &&
         std::all_of(what.arrivals.list.begin(), what.arrivals.list.end(),
                     [](const listed_job& j) { return j.worth->concave(); });
}

std::vector<offline_job> offline_jobs(const scenario& what, std::uint32_t replication) {
  const std::vector<std::size_t> order = by_descending_need(what);
  const ticks slot = what.unit.to_ticks(what.slot);
  const auto jobs = make_workload(what, replication);
  std::vector<offline_job> all;
  for (job_request next; jobs->next(next);) {
    const class_spec& type = what.classes[order[static_cast<std::size_t>(next.type)]];
    all.push_back({(next.arrival + slot - 1) / slot + 1, next.deadline.value_or(0),
                   next.worth ? next.worth : type.slotted->worth.get()});
  }
  return all;
}

double optimum_of(const scenario& what, std::uint32_t replication) {
  return optimal_utility(offline_jobs(what, replication), total_cores(what));
}

}  // namespace muster
