#pragma once

#include "muster/policies/pooled_policy.h"

namespace muster {

/// First come, first served at every server: each server works on the first job in the virtual queue that may use it,
/// and all servers of a job work on it at once. Source: Balanced fairness paper, Section 2.
class fcfs_pooled : public pooled_policy {
 public:
  /// Gives the job at the end of the queue the idle servers that it may use: no job ahead of it may use them.
  void arrived(const job& last, pooled_view cluster, pooled_decisions& decide) override;
  /// Treats a job that has gone back to the end of the queue like an arrival.
  void interrupted(const job& last, pooled_view cluster, pooled_decisions& decide) override {
    arrived(last, cluster, decide);
  }
  /// Gives a free server to the first job in the queue that may use it.
  void freed(group_id servers, pooled_view cluster, pooled_decisions& decide) override;
  void completed(const job&, pooled_view, pooled_decisions&) override {}
};

}  // namespace muster
