#pragma once

#include <cstdint>

#include "platform/model/scenario.h"

namespace muster {

/// The shortest backlog that tells something: 4,000 to 10,000, with 50 of the rarest class at least. 0: more
/// would be needed for that, or there is no such simulation, as arrivals come to an end or jobs are slotted.
std::uint64_t backlog_size(const scenario& model);

/// Arrivals behind such a backlog after which follow_backlog() ends undecided.
std::uint64_t arrivals_behind_backlog(std::uint64_t backlog);

enum class backlog_outcome { drains, grows, neither };

/// What becomes of long queues, by a simulation of the scenario itself in this process, which can hold only one.
///
/// The jobs of the backlog wait at time 0, drawn as they arrive; others arrive as the scenario says, up to 40 times as
/// many. The backlog drains if its work, counted by the classes' mean work, falls to 0.1 of what it was before it rises
/// to 1.9 of that, and grows in the opposite case. Work that neither grows nor shrinks on average does either in about
/// half of such runs at most: in all of eight less than once in a hundred times.
/// @param replication keys the random streams
/// @param waiting jobs of the backlog, at least backlog_size()
/// @throws std::runtime_error on a fault
backlog_outcome follow_backlog(const scenario& model, std::uint32_t replication, std::uint64_t waiting);

}  // namespace muster
