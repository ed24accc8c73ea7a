#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "platform/experiment/task_runner.h"
#include "platform/ranks/rank_link.h"

namespace muster {

/// An error of ranks that cannot work together: MPI is not there, or they have read different studies.
class rank_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The number of a rank, and how many there are.
struct rank_place {
  std::size_t rank = 0, ranks = 1;
};

/// The place of this process among those that mpirun or srun has started, from the environment; nothing if it is alone.
std::optional<rank_place> place_among_ranks();

/// Joins the ranks. Loads the module for MPI, which takes time and is needed by no other run.
/// @throws rank_error
std::unique_ptr<rank_link> join_ranks(const rank_place& place);

/// A function that simulates a task of a study, and returns the outcome as text.
using simulation = std::function<std::string(const study&, const simulation_task&)>;

/// Runs rank 0: reads the study, waits until every rank has read it, hands tasks out to all ranks, this one included,
/// and collects the outcomes. However it ends, the other ranks stop.
///
/// A simulation whose process dies is run again on another rank; the third time in a row it is a fault. A rank that is
/// silent for 10 s is taken for dead: its tasks go to the others, until it answers again.
/// @param workers simulations at a time on this rank
/// @param run is given the study and all ranks together
/// @param work the same on all ranks
/// @return what `run` returns
/// @throws rank_error if a rank has not read the study, or has read something else; what `read` and `run` throw
int lead_ranks(rank_link& link, const std::function<study()>& read, std::size_t workers,
               const std::function<int(const study&, task_runner&)>& run, const simulation& work = simulate);

/// Runs every other rank: reads the study, simulates the tasks that rank 0 sends, and ends when rank 0 requests it.
/// Prints nothing: errors are sent to rank 0. Ignores SIGINT and SIGTERM, as rank 0 decides.
/// @param workers simulations at a time
/// @param work see lead_ranks()
void serve_rank_0(rank_link& link, const std::function<study()>& read, std::size_t workers,
                  const simulation& work = simulate);

}  // namespace muster
