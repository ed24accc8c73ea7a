#pragma once

#include <cstdint>
#include <limits>

#include "muster/policies/cluster_view.h"
#include "muster/policies/queue_place.h"

namespace muster {

struct policy_entry;

/// How the jobs of a policy use servers.
enum class progress {
  rigid,   ///< a job runs on as many cores as it needs, from its start to its completion
  pooled,  ///< a job runs on any number of whole servers, at the sum of their capacities; they join and leave
  slotted  ///< a job's cores are chosen anew for every slot; a core does one unit of work in a slot
};

/// The orders that a policy may give. Each takes effect at once: the view shows it when the function returns. Each
/// takes a job itself, as the view has it: a copy of one is a scheduling_error.
class decisions {
 public:
  /// Puts a waiting job into service on cores that are free now.
  /// @throws scheduling_error if the job does not wait or does not fit; the run then ends with a fault
  virtual void start(const job& waiting) = 0;
  /// Takes a rigid job off its cores. It is leaving until its servers have saved its state, which may take no time but
  /// always ends after the policy has returned; then its cores are free, it waits again, and preempted() is called. A
  /// start() resumes it: only the rest of its work remains. If it turns out to have completed meanwhile, completed() is
  /// called instead.
  /// @throws scheduling_error if the policy's entry does not say `preempts`, or if the job is not in service or is
  /// leaving
  virtual void preempt(const job& running, queue_place where = queue_place::by_arrival) = 0;
  /// The same, but no state is saved: the job loses its work since the latest checkpoint, without checkpoints all of
  /// it.
  virtual void kill(const job& running, queue_place where = queue_place::by_arrival) = 0;
  /// Makes all idle servers of the group work on a pooled job that waits or is in service.
  /// @throws scheduling_error if the job may not use the group or is about to leave it, or if no server there is idle
  virtual void join(const job& pooled, group_id servers) = 0;
  /// Gives a slotted job core time in the slot that begins, in addition to what it has been given for this slot before:
  /// each whole unit is a core, the rest is a part of the slot on a core that the job shares with others.
  /// @param units > 0
  /// @throws scheduling_error outside policy::slot_begins, or if more is given out than cluster_view::slot_cores()
  virtual void serve(const job& slotted, double units = 1.0) = 0;
  /// Requests one call of policy::woken() at that time; its place among the events of that instant is stated there. The
  /// request cannot be cancelled.
  /// @param at not before cluster_view::now(). It may equal now(), but time must advance after a finite number of calls
  /// @param cookie passed to woken()
  /// @throws scheduling_error if the time has passed
  virtual void wake_at(ticks at, std::uint32_t cookie) = 0;

 protected:
  ~decisions() = default;
};

/// Decides which jobs run, and where. A policy derives from it, one file for each; fcfs.cpp is the shortest.
///
/// The scheduler calls one function per event, in the order of simulated time; of the events of one instant completions
/// come before arrivals. The view already reflects the event when a function is called.
class policy {
 public:
  policy() = default;
  policy(const policy&) = delete;
  policy& operator=(const policy&) = delete;
  virtual ~policy() = default;

  /// A job has joined the queue.
  virtual void arrived(const job&, const cluster_view& cluster, decisions& decide) { schedule(cluster, decide); }
  /// A job has left the cluster; its cores are free.
  virtual void completed(const job&, const cluster_view& cluster, decisions& decide) { schedule(cluster, decide); }
  /// A pooled job that was interrupted has left its servers and is at the end of the queue again; or a rigid job has
  /// lost its cores as one of its servers failed, and waits again, in the order of arrival.
  virtual void interrupted(const job&, const cluster_view& cluster, decisions& decide) { schedule(cluster, decide); }
  /// A rigid job that the policy has preempted or killed has left its cores and waits again. Among the events of an
  /// instant this one follows completions, interruptions and faults, and precedes arrivals. Of several such jobs that
  /// leave at one instant all wait when the function is called for the first of them; those that turned out to be
  /// complete come before them.
  virtual void preempted(const job&, const cluster_view& cluster, decisions& decide) { schedule(cluster, decide); }
  /// A server of the group is idle, as a pooled job has left it.
  virtual void freed(group_id, const cluster_view&, decisions&) {}

  /// A server of the group has been repaired, and is idle.
  virtual void repaired(group_id servers, const cluster_view& cluster, decisions& decide) {
    freed(servers, cluster, decide);
    schedule(cluster, decide);
  }

  /// A slot begins: the policy decides which slotted jobs have cores in it. Jobs served in the slot before are in
  /// service during the call; those of them that the policy does not serve wait after it.
  virtual void slot_begins(const cluster_view&, decisions&) {}
  /// A slotted job's deadline has passed before it was complete; it leaves.
  virtual void expired(const job&, const cluster_view&, decisions&) {}

  /// The time requested by decisions::wake_at() has been reached. Among the events of an instant this one follows
  /// completions, interruptions, faults, deadlines and arrivals, so that the policy sees them all, and precedes the
  /// beginning of a slot, so that what is decided here holds for it. Several at one instant come in the order of the
  /// requests.
  /// @param cookie as given to wake_at()
  virtual void woken([[maybe_unused]] std::uint32_t cookie, const cluster_view& cluster, decisions& decide) {
    schedule(cluster, decide);
  }

  /// Mean work (on capacity 1: time) that a server does on a job before its timer interrupts it, the theta of balanced
  /// fairness; infinite: servers have no timers.
  virtual double work_between_interruptions() const { return std::numeric_limits<double>::infinity(); }

  /// Phase of the policy's cycle after the latest event, from 1 to phases(); 0 while it is in none.
  unsigned phase() const { return phase_; }
  /// How many phases have begun so far; it shows a phase that follows one of the same number.
  std::uint64_t phases_begun() const { return phases_begun_; }
  /// How many phases the policy has; 0: it has none. It is asked once, when a scheduler is built.
  virtual unsigned phases() const { return 0; }

  /// Jobs in the system with which a simulation ends early, unless its scenario says with how many. A job takes about a
  /// kilobyte of memory; a policy that serves all jobs at every event takes time in proportion, and says less.
  virtual std::uint64_t most_jobs_in_system() const { return 1'000'000; }

  /// The entry of the catalogue that has made the policy, see policy_entry::make(). Null if it was made otherwise: then
  /// the kind of its jobs is not known, and no scheduler accepts it.
  const policy_entry* entry() const { return entry_; }

 protected:
  /// @param phase from 1 to phases(); 0: the policy is in none. Another one is a fault when the policy has returned
  void begin_phase(unsigned phase) {
    phase_ = phase;
    ++phases_begun_;
  }
  /// Starts jobs; the only function to override where a policy treats every event alike.
  virtual void schedule(const cluster_view&, decisions&) {}

 private:
  friend struct policy_entry;
  const policy_entry* entry_ = nullptr;
  unsigned phase_ = 0;
  std::uint64_t phases_begun_ = 0;
};

}  // namespace muster
