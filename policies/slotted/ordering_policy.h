#pragma once

#include "muster/policies/slotted/job_order.h"
#include "muster/policies/slotted_policy.h"

namespace muster {

/// A policy that gives out the cores of each slot in some order of the jobs.
///
/// Between slots the order holds the waiting jobs. Only service changes a job's rank, so that a slot costs steps for
/// the jobs that are served in it or were served in the one before, and none for the others.
class ordering_policy : public slotted_policy {
 public:
  void arrived(const job& j, slotted_view, slotted_decisions&) override { waiting_.insert(j, rank(j)); }
  void completed(const job& j, slotted_view, slotted_decisions&) override { waiting_.erase(j, rank(j)); }
  void expired(const job& j, slotted_view, slotted_decisions&) override { waiting_.erase(j, rank(j)); }
  void slot_begins(slotted_view cluster, slotted_decisions& decide) final {
    for (const class_id id : cluster.classes())
      for (const job* j = cluster.running(id); j; j = j->behind)
        if (j->where == job::place::in_service) waiting_.insert(*j, rank(*j));
    if (cluster.slot_cores() > 0) share_out(cluster.slot_cores(), waiting_, decide);
  }

 protected:
  /// The rank of a job; the lowest is served first. It depends only on the job's constant properties and its completed
  /// units.
  virtual double rank(const job& j) const = 0;
  /// Gives the slot's cores to jobs, and removes from `jobs` those that have got some.
  virtual void share_out(unsigned cores, job_order& jobs, slotted_decisions& decide) = 0;

 private:
  job_order waiting_;
};

}  // namespace muster
