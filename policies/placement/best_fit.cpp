#include "muster/policies/free_share.h"
#include "muster/policies/placement.h"

namespace muster {

namespace {

// Best fit of bin packing (Johnson, "Fast algorithms for bin packing", 1974): large gaps are kept for large jobs. The
// rest of a job that no server can hold is placed likewise, so that it is on as few servers as possible.
idle_server best_fit(const candidate_servers& idle, unsigned cores, random_numbers&) {
  const auto holds_all = idle.fewest_idle(cores);
  return holds_all ? *holds_all : idle.most_idle();
}

}  // namespace

extern const placement_entry best_fit_placement{
    "best_fit", 1,
    "The server with the fewest idle cores that hold the whole job, else that with the most, and so on with the rest; "
    "where tasks count, the server that holds one and has the least free, its resources added up as shares of the "
    "largest server; equal servers as in `first`",
    best_fit, free_share};

}  // namespace muster
