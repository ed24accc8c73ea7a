#pragma once

#include <cstdint>
#include <vector>

#include "tests/oracles/slotted_queue.h"

namespace muster::oracle {

/// Which of the idle servers that hold a job's state the job takes first.
enum class state_order {
  left_last,  ///< the one that it left last
  added_last  ///< the one of which the first departure was the last: a server keeps its place when it is left once more
};

/// Migrations of slotted jobs under earliest deadline first, on servers of one core, without costs: who is where in
/// each slot, slot by slot.
///
/// At the beginning of a slot jobs lose their surplus servers first, those that they got last. Then, in the order of
/// the deadlines, each takes idle servers that hold its state, in the given order, or else the lowest idle ones. A
/// server that a job loses holds its state from then on. A migration is a server that does not hold the state, taken
/// when others do.
///
/// @param servers at least 1
/// @param slot ticks, at least 1
/// @param jobs in order of arrival
/// @return of each job, in the order of leaving; of those that leave at one tick, jobs that expire come last
std::vector<std::uint64_t> migrations_by_deadline(std::uint64_t servers, std::uint64_t slot,
                                                  const std::vector<slotted_job>& jobs, state_order order);

}  // namespace muster::oracle
