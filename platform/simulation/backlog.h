#pragma once

#include <cstdint>

#include "platform/model/scenario.h"

namespace muster {

/// The jobs of the shortest backlog from which follow_backlog() can tell: 4,000 to 10,000, at least 50 of them of the
/// rarest class. 0 if that takes more jobs, or if the arrivals are finite or the jobs slotted.
std::uint64_t backlog_size(const scenario& model);

/// The number of arrivals behind a backlog after which follow_backlog() ends undecided.
std::uint64_t arrivals_behind_backlog(std::uint64_t backlog);

enum class backlog_outcome { drains, grows, neither };

/// Simulates what becomes of long queues of the scenario, in this process.
///
/// The jobs of the backlog wait at time 0, drawn as they arrive; others arrive as the scenario says, up to 40 times as
/// many. The backlog drains if its work, counted by the classes' mean work, falls to 0.1 of what it was before it rises
/// to 1.9 of that, and grows in the opposite case. Work whose mean neither grows nor shrinks does either in at most
/// about half of such runs, and the same in all of eight runs less than once in a hundred times.
/// @param replication keys the random streams
/// @param waiting jobs of the backlog, at least backlog_size()
/// @throws std::runtime_error on a fault
backlog_outcome follow_backlog(const scenario& model, std::uint32_t replication, std::uint64_t waiting);

}  // namespace muster
