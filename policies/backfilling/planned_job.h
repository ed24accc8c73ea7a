#pragma once

#include <cstdint>
#include <vector>

#include "muster/policies/job.h"
#include "muster/policies/task_placement.h"

namespace muster {

/// A job as a plan knows it: when it begins, and how long it is believed to take.
struct planned_job {
  const job* of = nullptr;
  ticks duration = 1;                   ///< that the scheduler believes, from its next start on; at least 1
  unsigned cores = 1;                   ///< that it holds, of all its tasks
  ticks begin = end_of_clock;           ///< when it has started, or its reservation begins; end_of_clock: neither
  ticks end = end_of_clock;             ///< expected end, or end of the reservation
  std::uint64_t placed = 0;             ///< moment at which a plan by server has placed its reservation, see given_back
  std::vector<task_placement> where{};  ///< of the job or its reservation, where tasks count

  std::uint64_t id() const { return of->id; }
  bool has_reservation() const { return begin != end_of_clock; }
};

/// Compares jobs by their ends, ties by arrival.
struct by_end {
  bool operator()(const planned_job* a, const planned_job* b) const {
    return a->end != b->end ? a->end < b->end : a->id() < b->id();
  }
};

/// The expected end of a job that is believed to take twice as long each time it exceeds what was expected: begin +
/// duration * 2^k with the smallest k >= 0 for which this is after an instant. At most end_of_clock.
inline ticks expected_end(ticks begin, ticks duration, ticks after) {
  ticks believed = duration < end_of_clock ? duration : end_of_clock;
  while (believed < end_of_clock && begin + believed <= after) believed *= 2;
  return believed < end_of_clock - begin ? begin + believed : end_of_clock;
}

}  // namespace muster
