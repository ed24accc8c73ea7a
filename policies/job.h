#pragma once

#include <cstdint>

#include "muster/policies/ticks.h"

namespace muster {

/// A job class. Ids run in descending server need (equal needs: by name), whatever the order in the scenario.
enum class class_id : std::uint32_t {};

/// A group of like servers: same cores, same capacity, same classes allowed.
enum class group_id : std::uint32_t {};

class utility;

/// The progress of a slotted job. Slots count from 1; slot n ends at n times their length.
struct unit_progress {
  const utility* worth = nullptr;  ///< utility of its units
  std::uint32_t done = 0;          ///< units completed
  double left = 0.0;               ///< work that remains, in units; the unit under way counts in part
  /// Core time, in units and at most one, that the job needs beside its work on a core newly given to it: the most that
  /// a core has spent on it so far without working, an upper estimate where it never came to work. 0: nothing.
  double overhead = 0.0;
  std::uint64_t deadline = 0;  ///< the last slot in which it may be served; 0: none
};

/// The values that a real scheduler may know of a job.
struct job_facts {
  /// A job that is leaving is complete, interrupted or expired, and still has slices that have not ended.
  enum class place : std::uint8_t { outside, waiting, in_service, leaving };

  std::uint64_t id = 0;  ///< 0, 1, 2, .. in order of arrival
  class_id type{};
  place where = place::outside;
  ticks arrival = 0;
  /// The work of the whole job: time on capacity 1, on all cores that it needs. 0 unless the policy's entry says
  /// sees_sizes.
  ticks size = 0;
  /// The work that the job has done in ended service and will not lose. For a job in service: the work done before.
  ticks done = 0;
  /// The work of the whole job as the scheduler believes it to be. 0 unless the policy's entry says uses_estimates.
  ticks estimate = 0;
  /// Number of the user who has submitted the job, from 0; no_user: not known.
  std::uint32_t user = no_user;
  static constexpr std::uint32_t no_user = ~std::uint32_t{0};
  /// Number of the QOS under which it was submitted, from 0; no_qos: it has none.
  std::uint32_t qos = no_qos;
  static constexpr std::uint32_t no_qos = ~std::uint32_t{0};
};

/// A job as a policy sees it: its known values, and its place in the queues.
struct job : job_facts {
  /// @name Neighbours in the queue of its class, or among the running jobs of its class; only cluster_state uses them.
  /// @{
  job* ahead = nullptr;
  job* behind = nullptr;
  /// @}

  /// @name The groups of servers that a pooled job may use, and its place in the virtual_queue
  /// @{
  const group_id* groups = nullptr;
  std::uint32_t group_count = 0;
  std::uint32_t queue_place = 0;
  /// @}

  const unit_progress* units = nullptr;  ///< progress of a slotted job at the beginning of the latest slot
  /// The job itself; in a copy the job that was copied, in whose place the copy cannot be scheduled. Only the scheduler
  /// uses it.
  const job* itself = nullptr;
};

}  // namespace muster
