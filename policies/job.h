#pragma once

#include <cstdint>

#include "muster/policies/ticks.h"

namespace muster {

/// A job class. Ids run in descending server need (equal needs: by name), whatever the order in the scenario.
enum class class_id : std::uint32_t {};

/// A group of like servers: same cores, same capacity, same classes allowed.
enum class group_id : std::uint32_t {};

class utility;

/// How far a slotted job has come. Slots count from 1; slot n ends at n times their length.
struct unit_progress {
  const utility* worth = nullptr;  ///< of its units
  std::uint32_t done = 0;          ///< units completed
  double left = 0.0;               ///< work that remains, in units: of the unit under way the part that is missing
  /// Core time, in units and at most one, that the job needs beside its work on a core newly given to it: the most that
  /// a core has spent on it so far without working, an upper estimate where it never came to work. 0: nothing.
  double overhead = 0.0;
  std::uint64_t deadline = 0;  ///< the last slot in which it may be served; 0: none
};

/// The plain values that a real scheduler may know of a job.
struct job_facts {
  /// A job that is leaving is complete, interrupted or expired, and still has slices that have not ended.
  enum class place : std::uint8_t { outside, waiting, in_service, leaving };

  std::uint64_t id = 0;  ///< 0, 1, 2, .. in order of arrival
  class_id type{};
  place where = place::outside;
  ticks arrival = 0;
  /// All of its work: time on capacity 1, on all cores that it needs. 0 unless the policy's entry says sees_sizes.
  ticks size = 0;
  /// Work that it has done in service that has ended, and will not lose. Of a job in service: what it had before.
  ticks done = 0;
};

/// A job as a policy sees it: its known values, and its place in the queues.
struct job : job_facts {
  /// @name Neighbours in the queue of its class, or among the running jobs of its class; the cluster_state's own.
  /// @{
  job* ahead = nullptr;
  job* behind = nullptr;
  /// @}

  /// @name Of a pooled job: the groups of servers that it may use, and its place in the virtual_queue
  /// @{
  const group_id* groups = nullptr;
  std::uint32_t group_count = 0;
  std::uint32_t queue_place = 0;
  /// @}

  const unit_progress* units = nullptr;  ///< of a slotted job, as of the latest slot's beginning
  /// The job itself; of a copy the job that was copied, which cannot be scheduled in its place. The scheduler's own.
  const job* itself = nullptr;
};

}  // namespace muster
