#include "muster/policies/free_share.h"
#include "muster/policies/placement.h"

namespace muster {

namespace {

// Compares by the tasks that a server holds, and equal numbers by what is free there.
double fewest_tasks_missing(const task_server& server, const task_request& request) {
  const double beyond_any_share = static_cast<double>(request.largest.size()) + 1.0;
  return (request.tasks - server.tasks) * beyond_any_share + free_share(server, request);
}

}  // namespace

extern const placement_entry fewest_servers_placement{
    "fewest_servers", 4,
    "The server that holds the most tasks of the job, so that the job is on few, and so on with the rest; of these the "
    "one with the least free, as in `best_fit`, which is the same rule where only cores count",
    [](const candidate_servers& idle, unsigned cores, random_numbers&) { return idle.best_fit(cores); },
    fewest_tasks_missing};

}  // namespace muster
