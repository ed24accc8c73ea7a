#include "muster/policies/device_use.h"
#include "muster/policies/placement.h"

namespace muster {

namespace {

// What is free of a server's devices and of no use to a task, in devices.
double unusable(const resource_layout& layout, const amounts& free, const task_need& need) {
  const bool holds = layout.tasks_that_fit(free, need) > 0;
  double sum = 0.0;
  for (std::size_t r = 1; r < layout.resource_count(); ++r) {
    const std::uint64_t parts = layout.parts(r);
    if (parts == 0) continue;
    visit_devices(layout, r, free, need, holds, [&](std::uint64_t free_parts, bool usable) {
      if (!usable) sum += static_cast<double>(free_parts) / static_cast<double>(parts);
    });
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
    sum +=
        share_of_mix(cluster, id) * (unusable(server.layout, after, need) - unusable(server.layout, server.free, need));
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
