#include "muster/policies/placement.h"

namespace muster {

namespace {

// Alignment of Grandl et al., "Multi-resource packing for cluster schedulers" (SIGCOMM 2014), Section 3.2: the inner
// product of what a task needs and what the server has free, both as shares of the largest server.
double misalignment(const task_server& server, const task_request& request) {
  double product = 0.0;
  for (std::size_t r = 0; r < request.need.per_task.size(); ++r) {
    if (request.largest[r] == 0) continue;
    const auto most = static_cast<double>(request.largest[r]);
    product += static_cast<double>(request.need.per_task[r]) / most *
               (static_cast<double>(server.layout.free_of(r, server.free)) / most);
  }
  return -product;
}

}  // namespace

extern const placement_entry dot_product_placement{
    "dot_product", 5,
    "The server on which what a task needs and what is free have the largest inner product, by resource as shares of "
    "the largest server (Grandl et al. 2014); where only cores count, as `worst_fit`",
    [](const candidate_servers& idle, unsigned, random_numbers&) { return idle.most_idle(); }, misalignment};

}  // namespace muster
