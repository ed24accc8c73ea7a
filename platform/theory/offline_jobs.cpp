#include "platform/theory/offline_jobs.h"

#include "platform/model/class_table.h"
#include "platform/model/scenario_workload.h"
#include "platform/theory/optimal_utility.h"

namespace muster {

double optimum_of(const scenario& what, std::uint32_t replication) {
  const std::vector<std::size_t> order = by_descending_need(what);
  const ticks slot = what.unit.to_ticks(what.slot);
  const auto jobs = make_workload(what, replication);
  std::vector<offline_job> all;
  for (job_request next; jobs->next(next);) {
    const class_spec& type = what.classes[order[static_cast<std::size_t>(next.type)]];
    all.push_back({(next.arrival + slot - 1) / slot + 1, next.deadline.value_or(0),
                   next.worth ? next.worth : type.slotted->worth.get()});
  }
  return optimal_utility(all, total_cores(what));
}

}  // namespace muster
