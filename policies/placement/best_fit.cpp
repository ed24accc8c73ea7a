#include "muster/policies/free_share.h"
#include "muster/policies/placement.h"

namespace muster {

// Large gaps are kept for large jobs. The rest of a job that no server can hold is placed likewise, so that it is on as
// few servers as possible.
extern const placement_entry best_fit_placement{
    "best_fit", 1,
    "The server with the fewest idle cores that hold the whole job, else that with the most, and so on with the rest; "
    "where tasks count, the server that holds one and has the least free, its resources added up as shares of the "
    "largest server; equal servers as in `first`",
    [](const candidate_servers& idle, unsigned cores, random_numbers&) { return idle.best_fit(cores); }, free_share};

}  // namespace muster
