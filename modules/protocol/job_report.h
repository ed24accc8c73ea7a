#pragma once

#include "muster/policies/ticks.h"
#include "muster/policies/utility.h"

namespace muster {

/// For how long a job has held something: from the sending of a slice, while no other one is under way, to the response
/// of the last one. The job has waited for the rest of its time in the system.
struct holding_time {
  ticks total = 0;      ///< time held, as of the latest response
  ticks since = 0;      ///< when the first of the slices under way was sent, or of the latest ones that were
  unsigned slices = 0;  ///< slices under way
  /// Whether the time is counted; if not, the job has held its cores from its start to its response.
  bool counted = false;

  /// Whether no slice has been sent after time 0.
  bool never() const { return since == 0; }
  void slice_is_sent(ticks now) {
    if (slices++ == 0) since = now;
  }
  void response_comes(ticks now) {
    if (--slices == 0) total += now - since;
  }
};

/// The values that the scheduler reports of a job to its submitter; complete when the job has its response.
struct job_report {
  ticks started = 0;           ///< when it got its cores
  holding_time held;           ///< complete when it has its response
  unsigned interruptions = 0;  ///< interruptions by servers so far
  unsigned migrations = 0;     ///< slices so far that had to fetch the job's state
  unsigned failures = 0;       ///< failures of its servers so far, each of which took all its slices
  /// Preemptions so far: by the policy, or a slot of a slotted job without a core after one with a core.
  unsigned preemptions = 0;
  bool begun = false;  ///< whether it has begun service; it may have left it since
  /// Whether it has been taken back from the queue of a scheduler, to be submitted to another one. It keeps its number
  /// and the time of its arrival there. The member stands beside `begun`, where it makes the object no larger.
  bool stolen = false;
  bool killed = false;  ///< whether the policy has killed it for good, before its work was done
  /// Dispatches so far that were refused, as another scheduler had taken cores that it was to have.
  unsigned conflicts = 0;
};

/// The values that the scheduler reports of a slotted job, beside its job_report.
struct slotted_report {
  bool expired = false;    ///< whether the job left at its deadline, incomplete
  utility_sum earned = 0;  ///< utility when the job left
};

}  // namespace muster
