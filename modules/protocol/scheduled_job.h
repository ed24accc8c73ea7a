#pragma once

#include <memory>
#include <optional>

#include <systemc>

#include "muster/modules/protocol/held_time.h"
#include "muster/modules/protocol/job_allocation.h"
#include "muster/policies/job.h"
#include "muster/policies/queue_place.h"
#include "muster/policies/resources.h"
#include "muster/policies/utility.h"

namespace muster {

/// Why a rigid job leaves its cores before it is complete: it has lost a server (failure), or the policy takes the
/// cores and lets the servers save the job's state (preemption) or not (kill).
enum class leaves_for : std::uint8_t { failure, preemption, kill };

/// What a job holds of the cluster as a whole.
struct cluster_holding {
  amounts held;     ///< in each place, see resource_layout::of_cluster(); empty: nothing
  ticks since = 0;  ///< when it got it
  ticks ran = 0;    ///< the least time for which one of its slices that have ended ran

  /// The time for which a job has held it whose last slice has ended. It ran as long as all of its slices did.
  held_time until(ticks now) const { return {now - since - ran, ran}; }
};

/// How far a slotted job has come, whose slices share the work of its `allocation`.
struct slotted_progress : unit_progress {
  std::optional<utility> own;   ///< what its units are worth, where the class leaves that to its jobs
  std::uint64_t last_slot = 0;  ///< the last slot in which it may be served; 0: there is none
  std::uint32_t held = 0;       ///< slices that have neither ended nor been stopped
  std::uint32_t place = 0;      ///< its place in the plan of the present slot
  std::uint32_t expiry = 0;     ///< number of the event deferred to its deadline, if it has one
  /// Core time that is due to the job and was not given, in ticks, between -1 and 1: sharing cores may leave a part of
  /// a tick.
  double due = 0.0;
  ticks work_seen = 0;  ///< work that was left at the beginning of the present slot
};

/// What the scheduler alone knows of a job, from its arrival to its response. It is stored with the job's extension,
/// but never copied to another one.
struct scheduled_job {
  unsigned open_slices = 0;              ///< slices that have not ended
  int submitter = 0;                     ///< socket index to which the response goes, or in_blocking_call
  bool failed = false;                   ///< whether it is leaving its servers after a failure
  bool borrowed = false;                 ///< whether the scheduler has made its extension, for a plain payload
  sc_core::sc_event* blocked = nullptr;  ///< notified at completion; null: no thread waits for it in b_transport
  /// @name A rigid job that is leaving its cores
  /// @{
  ticks least_run = 0;    ///< the part of their duration that all its slices have done
  ticks least_kept = 0;   ///< least_run without the instant at which a slice began a checkpoint that is void
  unsigned saved_at = 0;  ///< servers that have saved its state, the last ones of job_allocation::state_at
  leaves_for reason{};
  queue_place goes_back{};
  /// @}
  double slowest = 1.0;  ///< of a rigid job in service on several servers: the smallest capacity of a core there
  /// @name Parts made when a job first needs them, and kept for the jobs that use the extension after it
  /// @{
  std::unique_ptr<job_allocation> allocation;
  std::unique_ptr<slotted_progress> progress;   ///< null for jobs that are not slotted
  std::unique_ptr<cluster_holding> of_cluster;  ///< null: it has held nothing of the cluster
  /// @}

  static constexpr int in_blocking_call = -1;  ///< submitter of a job whose thread waits, or waited, in b_transport
};

}  // namespace muster
