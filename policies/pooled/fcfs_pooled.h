#pragma once

#include "muster/policies/pooled_policy.h"

namespace muster {

/// First come, first served at every server: each server works on the first job in the virtual queue that may use it,
/// and all servers of a job work on it at once. Source: Balanced fairness paper, Section 2.
class fcfs_pooled : public pooled_policy {
 public:
  /// The job at the end of the queue gets the idle servers: no job ahead of it may use them.
  void arrived(const job& last, pooled_view cluster, pooled_decisions& decide) override;
  /// So does a job that has gone back to the end of the queue.
  void interrupted(const job& last, pooled_view cluster, pooled_decisions& decide) override {
    arrived(last, cluster, decide);
  }
  /// A free server goes to the first job in the queue that may use it.
  void freed(group_id servers, pooled_view cluster, pooled_decisions& decide) override;
  void completed(const job&, pooled_view, pooled_decisions&) override {}
};

}  // namespace muster
