#pragma once

#include <algorithm>

#include "muster/policies/cluster_view.h"
#include "muster/policies/resource_layout.h"

namespace muster {

/// The parts that a device must have free for a task that fits on its server to use it: as many as the task takes of
/// one (Weng et al., "Beware of fragmentation", USENIX ATC 2023, Section 3); 0: the task needs no device of the
/// resource.
inline std::uint64_t least_usable(const resource_layout& layout, std::size_t resource, const task_need& need) {
  return resource < need.per_task.size() ? std::min(need.per_task[resource], layout.parts(resource)) : 0;
}

/// Calls visit(free, usable) for each device of a resource on a server: its free parts, and whether a task can use
/// them, see least_usable(). A task that does not fit on the server can use none.
/// @param holds whether a task fits on the server
template <class Visit>
void visit_devices(const resource_layout& layout, std::size_t resource, const amounts& free, const task_need& need,
                   bool holds, const Visit& visit) {
  const std::uint64_t least = holds ? least_usable(layout, resource, need) : 0;
  for (std::size_t n = layout.first(resource); n < layout.first(resource) + layout.count(resource); ++n)
    visit(free[n], least > 0 && free[n] >= least);
}

/// The share of a class in the mix of jobs: of all arrivals, or, where that is not known, of all classes.
inline double share_of_mix(const cluster_view& cluster, class_id id) {
  return cluster.arrival_share(id).value_or(1.0 / static_cast<double>(cluster.class_count()));
}

}  // namespace muster
