#pragma once

#include "muster/policies/policy.h"

namespace muster {

/// First come, first served at every server: each serves the first job in the one virtual queue that may use it, and a
/// job is served by all servers that have come to it. Source: Balanced fairness paper, Section 2.
class fcfs_pooled : public policy {
 public:
  /// At the end of the queue a job gets the servers that nobody else can use.
  void arrived(const job& last, const cluster_view& cluster, decisions& decide) override;
  /// So does one that was interrupted, or lost a server, and stands there now.
  void interrupted(const job& last, const cluster_view& cluster, decisions& decide) override {
    arrived(last, cluster, decide);
  }
  /// A free server goes to the first job in the queue that may use it.
  void freed(group_id servers, const cluster_view& cluster, decisions& decide) override;
  void completed(const job&, const cluster_view&, decisions&) override {}
};

}  // namespace muster
