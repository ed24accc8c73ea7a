#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "muster/policies/slurm/node_set.h"
#include "muster/policies/slurm/slurm_job.h"

namespace muster {

/// The nodes that Slurm calls COMPLETING: what a job has held there is free, but its node is not cleaned up yet, so
/// that no job starts on it.
class completing_nodes {
 public:
  /// @param nodes of the cluster @param time from the end of a job until its nodes are cleaned up
  completing_nodes(std::size_t nodes, ticks time) : time_(time), until_(nodes), all_(nodes) {}

  /// Adds the nodes of a job that ends now.
  void add(const slurm_job& ended, ticks now) {
    if (time_ == 0) return;
    for (const slurm_job::holding& h : ended.held) {
      until_[h.node] = now + time_;
      ends_.push_back({now + time_, h.node});
      all_.insert(h.node);
    }
  }
  /// Removes the nodes that are cleaned up by now.
  void advance(ticks now) {
    for (; next_change() <= now; ends_.pop_front())
      if (until_[ends_.front().node] <= now) all_.erase(ends_.front().node);
  }
  /// When the next node may be cleaned up; end_of_clock: there is none.
  ticks next_change() const { return ends_.empty() ? end_of_clock : ends_.front().at; }
  bool empty() const { return ends_.empty(); }
  const node_set& all() const { return all_; }

 private:
  struct clean_up {
    ticks at;
    std::size_t node;
  };

  ticks time_;
  std::vector<ticks> until_;   // of each node
  std::deque<clean_up> ends_;  // of each job on each of its nodes, in their order; a node may be left by another one
  node_set all_;
};

}  // namespace muster
