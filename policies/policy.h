#pragma once

#include <cstdint>
#include <limits>

#include "muster/policies/cluster_view.h"

namespace muster {

struct policy_entry;

/// How jobs use servers under a policy.
enum class progress {
  rigid,   ///< a job runs on as many cores as it needs, from its start to its completion
  pooled,  ///< a job runs on any number of whole servers, at the sum of their capacities; they join and leave
  slotted  ///< a job's cores are given out anew for every slot; a core does a unit of work in a slot
};

/// What a policy may order. Each order takes effect at once: the view that the policy holds shows it.
class decisions {
 public:
  /// Puts a waiting job into service on cores that are free now.
  /// @throws scheduling_error if the job does not wait or does not fit; the run then ends with a fault
  virtual void start(const job& waiting) = 0;
  /// Lets all idle servers of the group work on a pooled job that waits or is in service.
  /// @throws scheduling_error if the job may not use the group or is about to leave it, or if no server there is idle
  virtual void join(const job& pooled, group_id servers) = 0;
  /// Gives a slotted job core time in the slot that begins, on top of what it has been given for it already: whole
  /// units are a core each, the rest is a part of the slot on a core that it shares with others.
  /// @param units > 0
  /// @throws scheduling_error outside policy::slot_begins, or if more is given out than cluster_view::slot_cores()
  virtual void serve(const job& slotted, double units = 1.0) = 0;
  /// Has policy::woken() called once at that time, after what else happens then, see there. It cannot be called off.
  /// @param at not before cluster_view::now(); may be that, but not again and again without end
  /// @param cookie what woken() is to get
  /// @throws scheduling_error if the time has passed
  virtual void wake_at(ticks at, std::uint32_t cookie) = 0;

 protected:
  ~decisions() = default;
};

/// Who runs next. Derive from it, one file for each policy; see fcfs.cpp for the shortest.
///
/// The scheduler calls one function per event, in the order of simulated time; events of one instant come one after
/// the other, completions before arrivals. At a call the view already holds the event.
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
  /// A pooled job that was interrupted has left its servers and stands at the end of the queue again. Or a rigid job
  /// has left the cores that it had as one of its servers failed, and waits where its arrival puts it.
  virtual void interrupted(const job&, const cluster_view& cluster, decisions& decide) { schedule(cluster, decide); }
  /// A server of the group has been left by a pooled job and is idle.
  virtual void freed(group_id, const cluster_view&, decisions&) {}

  /// A server of the group has been repaired, and is idle.
  virtual void repaired(group_id servers, const cluster_view& cluster, decisions& decide) {
    freed(servers, cluster, decide);
    schedule(cluster, decide);
  }

  /// A slot begins: decides which slotted jobs have cores in it. Those that were served in the slot before are still in
  /// service; those that are not served now wait afterwards.
  virtual void slot_begins(const cluster_view&, decisions&) {}
  /// A slotted job's deadline has passed before it was complete; it leaves.
  virtual void expired(const job&, const cluster_view&, decisions&) {}

  /// A time has come for which the policy has asked by decisions::wake_at(). Of what happens at that instant it comes
  /// behind completions, interruptions, faults, deadlines and arrivals, so that the policy sees them all, and before
  /// the slot that begins then, so that its cores go to whom this has decided; of several in the order in which they
  /// were asked for.
  /// @param cookie as it was given
  virtual void woken([[maybe_unused]] std::uint32_t cookie, const cluster_view& cluster, decisions& decide) {
    schedule(cluster, decide);
  }

  /// Mean work (on capacity 1: time) that a server does on a job before its timer interrupts it, the theta of balanced
  /// fairness; infinite: servers have no timers.
  virtual double work_between_interruptions() const { return std::numeric_limits<double>::infinity(); }

  /// Phase of the policy's cycle after the latest event, from 1 to phases(); 0 while it is in none.
  unsigned phase() const { return phase_; }
  /// How many phases have begun so far, so that a phase which follows itself shows.
  std::uint64_t phases_begun() const { return phases_begun_; }
  /// How many phases the policy has; 0 if it knows none.
  virtual unsigned phases() const { return 0; }

  /// The entry of the catalogue that has made the policy, see policy_entry::make(). Null if none has: then the kind of
  /// its jobs is not known, and no scheduler takes it.
  const policy_entry* entry() const { return entry_; }

 protected:
  void begin_phase(unsigned phase) {
    phase_ = phase;
    ++phases_begun_;
  }
  /// What to start now; enough for policies that treat every event alike.
  virtual void schedule(const cluster_view&, decisions&) {}

 private:
  friend struct policy_entry;
  const policy_entry* entry_ = nullptr;
  unsigned phase_ = 0;
  std::uint64_t phases_begun_ = 0;
};

}  // namespace muster
