#pragma once

#include <memory>
#include <set>
#include <vector>

#include "muster/policies/backfilling/planned_job.h"
#include "muster/policies/rigid_policy.h"

namespace muster {

/// What the cluster has free at each instant from now on: all that is up, except servers in their planned outages, what
/// running jobs hold until their expected ends, and what reservations hold.
class reservation_plan {
 public:
  reservation_plan() = default;
  reservation_plan(const reservation_plan&) = delete;
  reservation_plan& operator=(const reservation_plan&) = delete;
  virtual ~reservation_plan() = default;

  /// A change of what is up, other than by planned outages.
  enum class change { none, more, less };

  /// Brings the plan to the present. It or pass_time() is called before the functions below, at each instant at which
  /// one is.
  virtual change advance(rigid_view cluster) = 0;
  /// Brings the plan to an instant, and believes that what was up is.
  virtual void pass_time(ticks now) = 0;
  /// The longest duration of a job of the class that may be able to start now: none that takes longer can. 0: no job
  /// of the class can.
  virtual ticks longest_from_now(class_id type) const = 0;
  /// Whether the job fits for its duration from now on, so that reserve() would give it an interval that begins now.
  virtual bool fits_now(const planned_job& j) = 0;
  /// Reserves the earliest interval in which the job fits for its duration, and servers where tasks count.
  /// @return false: the job fits at no time, as servers are down, and gets no reservation
  virtual bool reserve(planned_job& j) = 0;
  /// Reserves an interval that begins now, if the job fits for its duration. @return whether it does
  virtual bool reserve_now(planned_job& j) = 0;
  /// Withdraws the reservation of a job, and makes it anew. @return whether it has become another one
  virtual bool reserve_anew(planned_job& j) = 0;
  /// Gives back the reservation of a job that waits.
  virtual void withdraw(planned_job& j) = 0;
  /// Starts the job, whose reservation begins now.
  virtual void start(planned_job& j, rigid_decisions& decide) = 0;
  /// Believes that a running job goes on to hold what it holds until a later end.
  virtual void extend(planned_job& j, ticks end) = 0;
  /// Gives back what a running job has held, which has left its servers now; advance() need not have been called.
  virtual void end(planned_job& j, ticks now) = 0;
  using running_jobs = std::set<planned_job*, by_end>;
  /// Gives back the reservations of jobs, which are all that have one. The second argument is all jobs that run.
  virtual void withdraw_all(const std::vector<planned_job*>& jobs, const running_jobs&) {
    for (planned_job* j : jobs) withdraw(*j);
  }
};

/// The plan for a cluster: of its cores as one pool, or of its servers where tasks count.
std::unique_ptr<reservation_plan> plan_for(const cluster_view& cluster);

}  // namespace muster
