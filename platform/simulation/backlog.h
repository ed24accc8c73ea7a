#pragma once

#include <cstdint>

#include "platform/model/scenario.h"

namespace muster {

/// The jobs of the shortest backlog from which follow_backlog() can tell: 4,000 to 10,000, at least 50 of them of the
/// rarest class. 0 if that takes more jobs, or if the arrivals are finite or the jobs slotted.
std::uint64_t backlog_size(const scenario& model);

/// The jobs of a backlog that is a quarter as long, from which two runs may tell that it drains. 0 if there is none of
/// backlog_size(), or if so few jobs are not fifty times as many as the cores can serve at once.
std::uint64_t short_backlog_size(const scenario& model);

/// The number of arrivals behind a backlog after which follow_backlog() ends undecided.
std::uint64_t arrivals_behind_backlog(std::uint64_t backlog);

enum class backlog_outcome { drains, grows, neither };

/// What has become of a backlog, and how far chance may have had a part in it.
struct backlog_course {
  backlog_outcome outcome = backlog_outcome::neither;
  /// The change of the work in the system in units of the backlog's, had as much arrived as is expected, over the time
  /// of 16 to 31 batches of arrivals. Where the work counted by the classes' mean work has changed otherwise, by more
  /// than three standard deviations of the difference, it is that change.
  double change = 0.0;
  /// The variance of `change`, from the batches. 0: there were not so many arrivals.
  double variance = 0.0;
};

/// Simulates what becomes of long queues of the scenario, in this process.
///
/// The jobs of the backlog wait at time 0, drawn as they arrive; others arrive as the scenario says, up to 40 times as
/// many. The backlog drains if its work, counted by the classes' mean work, falls by a share of what it was before it
/// rises by that share, and grows in the opposite case. Work whose mean neither grows nor shrinks does either in at
/// most about half of such runs.
/// @param replication keys the random streams
/// @param waiting jobs of the backlog
/// @param reach that share, above 0 and below 1
/// @throws std::runtime_error on a fault
backlog_course follow_backlog(const scenario& model, std::uint32_t replication, std::uint64_t waiting,
                              double reach = 0.9);

}  // namespace muster
