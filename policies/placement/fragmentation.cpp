#include <algorithm>

#include "muster/policies/placement.h"

namespace muster {

namespace {

// What is free of a server's devices and can hold no part of a task: all where no task fits, else the devices that are
// too full for one. It is counted in devices.
double unusable(const resource_layout& layout, const amounts& free, const task_need& need) {
  const bool holds = layout.tasks_that_fit(free, need) > 0;
  double sum = 0.0;
  for (std::size_t r = 1; r < layout.resource_count(); ++r) {
    const std::uint64_t parts = layout.parts(r);
    if (parts == 0) continue;
    const std::uint64_t least = r < need.per_task.size() ? std::min(need.per_task[r], parts) : 0;
    for (std::size_t n = layout.first(r); n < layout.first(r) + layout.count(r); ++n)
      if (!holds || least == 0 || free[n] < least) sum += static_cast<double>(free[n]) / static_cast<double>(parts);
  }
  return sum;
}

// Fragmentation gradient descent of Weng et al., "Beware of fragmentation" (USENIX ATC 2023), Section 4: by how much
// the devices grow that a task of the mix of classes cannot use, if the server holds the tasks.
double growth(const task_server& server, const task_request& request) {
  amounts after = server.free, taken(after.size());
  server.layout.take(after, request.need, server.tasks, taken);
  const cluster_view& cluster = request.cluster;
  double sum = 0.0;
  for (const class_id id : cluster.classes()) {
    const task_need& need = cluster.tasks(id);
    const double share = cluster.arrival_share(id).value_or(1.0 / static_cast<double>(cluster.class_count()));
    sum += share * (unusable(server.layout, after, need) - unusable(server.layout, server.free, need));
  }
  return sum;
}

}  // namespace

extern const placement_entry fragmentation_placement{
    "fragmentation", 6,
    "Fragmentation gradient descent: the server on which the devices that a job of the mix cannot use grow the least "
    "(Weng et al. 2023); where only cores count, as `first`",
    nullptr, growth};

}  // namespace muster
