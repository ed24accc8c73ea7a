#pragma once

#include "policies/cluster_view.h"

namespace muster {

/// What a policy may order. Each order takes effect at once: the view that the policy holds shows it.
class decisions {
 public:
  /// Puts a waiting job into service on cores that are free now.
  /// @throws scheduling_error if the job does not wait or does not fit; the run then ends with a fault
  virtual void start(const job& waiting) = 0;

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

  /// Phase of the policy's cycle after the latest event, from 1 to phases(); 0 while it is in none.
  unsigned phase() const { return phase_; }
  /// How many phases have begun so far, so that a phase which follows itself shows.
  std::uint64_t phases_begun() const { return phases_begun_; }
  /// How many phases the policy has; 0 if it knows none.
  virtual unsigned phases() const { return 0; }

 protected:
  void begin_phase(unsigned phase) {
    phase_ = phase;
    ++phases_begun_;
  }
  /// What to start now; enough for policies that treat every event alike.
  virtual void schedule(const cluster_view& cluster, decisions& decide) = 0;

 private:
  unsigned phase_ = 0;
  std::uint64_t phases_begun_ = 0;
};

}  // namespace muster
