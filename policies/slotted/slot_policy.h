#pragma once

#include "muster/policies/policy.h"
#include "muster/policies/slotted/job_order.h"

namespace muster {

/// A policy that goes through the slotted jobs in some order, anew in each slot.
///
/// Between slots the order holds the jobs that wait: nothing but service changes a job's rank, so that a slot costs
/// steps for the jobs which it serves, or the one before has served, and none for those which go on waiting.
class slot_policy : public policy {
 public:
  void arrived(const job& j, const cluster_view&, decisions&) override { waiting_.insert(j, rank(j)); }
  void completed(const job& j, const cluster_view&, decisions&) override { waiting_.erase(j, rank(j)); }
  void expired(const job& j, const cluster_view&, decisions&) override { waiting_.erase(j, rank(j)); }
  void slot_begins(const cluster_view& cluster, decisions& decide) final {
    for (const class_id id : cluster.classes())
      for (const job* j = cluster.running(id); j; j = j->behind)
        if (j->where == job::place::in_service) waiting_.insert(*j, rank(*j));
    if (cluster.slot_cores() > 0) share_out(cluster.slot_cores(), waiting_, decide);
  }

 protected:
  /// Lowest first. Told by what the job is and by how many of its units are done.
  virtual double rank(const job& j) const = 0;
  /// Gives the slot's cores out, and takes off the list whom it has given some.
  virtual void share_out(unsigned cores, job_order& jobs, decisions& decide) = 0;

 private:
  job_order waiting_;
};

}  // namespace muster
