#include "muster/policies/free_share.h"
#include "muster/policies/placement.h"

namespace muster {

namespace {

// Worst fit of bin packing (Johnson, "Fast algorithms for bin packing", 1974): the load is spread over the servers.
idle_server worst_fit(const candidate_servers& idle, unsigned, random_numbers&) { return idle.most_idle(); }

double most_free(const task_server& server, const task_request& request) { return -free_share(server, request); }

}  // namespace

extern const placement_entry worst_fit_placement{
    "worst_fit", 2,
    "The server with the most idle cores, and so on with the rest; where tasks count, the one with the most free, its "
    "resources added up as in `best_fit`; equal servers as in `first`",
    worst_fit, most_free};

}  // namespace muster
