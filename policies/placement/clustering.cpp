#include "muster/policies/free_share.h"
#include "muster/policies/placement.h"

namespace muster {

namespace {

// The baseline Clustering of Weng et al., "Beware of fragmentation" (USENIX ATC 2023), Section 6: tasks of one need are
// packed together. Compares by the tasks of the need that a server holds, and equal numbers by what is free there.
double fewest_alike(const task_server& server, const task_request& request) {
  const double beyond_any_share = static_cast<double>(request.largest.size()) + 1.0;
  return free_share(server, request) - server.alike * beyond_any_share;
}

}  // namespace

extern const placement_entry clustering_placement{
    "clustering",
    7,
    "The server that holds the most tasks of the same need, of any job, so that like tasks are together (Weng et al. "
    "2023); of these the one with the least free, as in `best_fit`, which is the same rule where only cores count",
    [](const candidate_servers& idle, unsigned cores, random_numbers&) { return idle.best_fit(cores); },
    fewest_alike,
    false,
    true};

}  // namespace muster
