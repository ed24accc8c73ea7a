#pragma once

#include <vector>

#include "muster/policies/policy.h"
#include "muster/policies/queue_place.h"
#include "muster/policies/rigid_view.h"
#include "muster/policies/task_placement.h"

namespace muster {

/// The orders that a policy of rigid jobs may give.
class rigid_decisions : public decisions {
 public:
  /// Puts a waiting job into service on cores that are free now.
  /// @throws scheduling_error if the job does not wait or does not fit; the run then ends with a fault
  virtual void start(const job& waiting) = 0;
  /// Puts a waiting job into service on servers and devices that the policy has chosen, where tasks count. Its entry
  /// must say `places_by`, so that no other rule is expected to choose.
  /// @param where the servers of the job's tasks, each once, with what is held in each of their places: exactly what
  /// the job needs, of a job that needs its servers whole all of them; and what it holds in each place of the cluster,
  /// as whole_cluster, where the scheduler shall not choose that
  /// @throws scheduling_error if the job does not wait or this is not free there; the run then ends with a fault
  virtual void start_on(const job& waiting, const std::vector<task_placement>& where) = 0;
  /// Takes a job off its cores. It is leaving until its servers have saved its state, which may take no time but always
  /// ends after the policy has returned; then its cores are free, it waits again, and preempted() is called. A start()
  /// resumes it: only the rest of its work remains. If it turns out to have completed meanwhile, completed() is called
  /// instead.
  /// @throws scheduling_error if the policy's entry does not say `preempts`, or if the job is not in service or is
  /// leaving
  virtual void preempt(const job& running, queue_place where = queue_place::by_arrival) = 0;
  /// Takes a job off its cores as preempt() does, but saves no state: the job loses its work since the latest
  /// checkpoint, without checkpoints all of it. With queue_place::nowhere it leaves the cluster as if it were complete,
  /// and completed() is called.
  virtual void kill(const job& running, queue_place where = queue_place::by_arrival) = 0;
  /// The servers that are named for the first start of a job, in ascending order, as of a job that runs when the
  /// simulation begins; mostly none. start() puts the job there if there is room; a policy that calls start_on()
  /// should.
  virtual std::vector<named_tasks> named_servers(const job&) const { return {}; }

 protected:
  ~rigid_decisions() = default;
};

/// Decides when rigid jobs start, and which of them are preempted; rigid/fcfs.cpp is the shortest.
class rigid_policy : public policy {
 public:
  /// @name Types for code that serves all kinds
  /// @{
  using of_kind = rigid_policy;
  using view = rigid_view;
  using orders = rigid_decisions;
  /// @}

  /// Called when a job has joined the queue.
  virtual void arrived(const job&, rigid_view cluster, rigid_decisions& decide) { schedule(cluster, decide); }
  /// Called when a job has left the cluster; its cores are free.
  virtual void completed(const job&, rigid_view cluster, rigid_decisions& decide) { schedule(cluster, decide); }
  /// Called when a job has lost its cores, as one of its servers has failed, and waits again in the order of arrival.
  virtual void interrupted(const job&, rigid_view cluster, rigid_decisions& decide) { schedule(cluster, decide); }
  /// Called when a job that the policy has preempted or killed has left its cores and waits again. Among the events of
  /// an instant this one follows completions and faults, and precedes arrivals. Of several such jobs that leave at one
  /// instant all wait when the function is called for the first of them; those that turned out to be complete come
  /// before them.
  virtual void preempted(const job&, rigid_view cluster, rigid_decisions& decide) { schedule(cluster, decide); }
  /// Called when a server of the group has been repaired, and is idle.
  virtual void repaired(group_id, rigid_view cluster, rigid_decisions& decide) { schedule(cluster, decide); }
  /// Called when jobs wait, and other schedulers have given back cores of servers that all share, or have taken a
  /// waiting job. Only for a policy whose entry says `shares_servers`.
  virtual void freed_by_others(rigid_view cluster, rigid_decisions& decide) { schedule(cluster, decide); }
  /// Called at the time requested by decisions::wake_at(). Among the events of an instant this one follows completions,
  /// faults and arrivals, so that the policy sees them all. Several at one instant come in the order of the requests.
  /// @param cookie as given to wake_at()
  virtual void woken([[maybe_unused]] std::uint32_t cookie, rigid_view cluster, rigid_decisions& decide) {
    schedule(cluster, decide);
  }
  /// Called when jobs wait, none is in service, and no further event will come: no job arrives, and no timer of the
  /// policy is set. If nothing is started then, the run ends with a fault. It is for policies that may leave an empty
  /// cluster idle until the next arrival.
  virtual void stream_ended(rigid_view, rigid_decisions&) {}

 protected:
  /// Starts jobs; the only function to override where a policy treats every event alike.
  virtual void schedule(rigid_view, rigid_decisions&) {}

 public:
  /// Called when slices of jobs have ended whose other slices go on, and jobs wait: cores are free that such a job has
  /// held. It is called once at an instant, behind all other events, where scheduler_settings::slices_end_apart says
  /// so.
  virtual void cores_freed(rigid_view cluster, rigid_decisions& decide) { schedule(cluster, decide); }
};

}  // namespace muster
