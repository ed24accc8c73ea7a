#pragma once

#include <limits>

#include "muster/policies/policy.h"
#include "muster/policies/pooled_view.h"

namespace muster {

/// The orders that a policy of pooled jobs may give.
class pooled_decisions : public decisions {
 public:
  /// Makes all idle servers of the group work on a job that waits or is in service.
  /// @throws scheduling_error if the job may not use the group or is about to leave it, or if no server there is idle
  virtual void join(const job& pooled, group_id servers) = 0;

 protected:
  ~pooled_decisions() = default;
};

/// Decides which servers work on which pooled jobs; pooled/fcfs_pooled.cpp is the shortest.
class pooled_policy : public policy {
 public:
  /// @name Types for code that serves all kinds
  /// @{
  using of_kind = pooled_policy;
  using view = pooled_view;
  using orders = pooled_decisions;
  /// @}

  /// Called when a job has joined the queue.
  virtual void arrived(const job&, pooled_view cluster, pooled_decisions& decide) { schedule(cluster, decide); }
  /// Called when a job has left the cluster; its servers are idle.
  virtual void completed(const job&, pooled_view cluster, pooled_decisions& decide) { schedule(cluster, decide); }
  /// Called when a job that was interrupted, or has lost a server, has left its servers and is at the end of the queue
  /// again.
  virtual void interrupted(const job&, pooled_view cluster, pooled_decisions& decide) { schedule(cluster, decide); }
  /// Called when a server of the group is idle, as a job has left it.
  virtual void freed(group_id, pooled_view, pooled_decisions&) {}
  /// Called when a server of the group has been repaired, and is idle.
  virtual void repaired(group_id servers, pooled_view cluster, pooled_decisions& decide) {
    freed(servers, cluster, decide);
    schedule(cluster, decide);
  }
  /// Called at the time requested by decisions::wake_at(). Among the events of an instant this one follows completions,
  /// interruptions, faults and arrivals, so that the policy sees them all. Several at one instant come in the order of
  /// the requests.
  /// @param cookie as given to wake_at()
  virtual void woken([[maybe_unused]] std::uint32_t cookie, pooled_view cluster, pooled_decisions& decide) {
    schedule(cluster, decide);
  }

  /// The mean work (on capacity 1: time) that a server does on a job before its timer interrupts it, the theta of
  /// balanced fairness; infinite: servers have no timers.
  virtual double work_between_interruptions() const { return std::numeric_limits<double>::infinity(); }

 protected:
  /// Lets servers join; the only function to override where a policy treats every event alike.
  virtual void schedule(pooled_view, pooled_decisions&) {}
};

/// The work between interruptions of a policy of any kind: infinite where the jobs are not pooled.
inline double work_between_interruptions(const policy& of_any_kind) {
  const auto* pooled = dynamic_cast<const pooled_policy*>(&of_any_kind);
  return pooled ? pooled->work_between_interruptions() : std::numeric_limits<double>::infinity();
}

}  // namespace muster
