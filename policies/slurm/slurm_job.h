#pragma once

#include <cstdint>
#include <vector>

#include "muster/policies/job.h"
#include "muster/policies/resources.h"
#include "muster/policies/slurm/preempt_terms.h"

namespace muster {

/// A job of Slurm's queue, or one that runs.
struct slurm_job {
  /// What it holds of a node.
  struct holding {
    std::size_t node;
    amounts held;  ///< in each place, see resource_layout
  };

  const job* of = nullptr;
  ticks limit = 1;     ///< time limit that is left, from its next start on; at least 1
  unsigned cores = 1;  ///< that it holds, of all its tasks
  unsigned nodes = 1;  ///< the fewest that can hold it
  std::size_t partition = 0;
  std::size_t qos = 0;             ///< row of qos_table
  std::size_t qos_level = 0;       ///< of its QOS, where jobs are preempted by QOS: jobs of a higher one come first
  std::uint64_t tier = 1;          ///< of its partition: jobs of a higher one come first
  std::uint64_t priority = 0;      ///< the higher, the earlier
  ticks end = end_of_clock;        ///< of one that runs: by its limit
  std::vector<holding> held{};     ///< of one that runs
  std::uint64_t gives_way_by = 0;  ///< the lower, the earlier it gives way
  std::optional<preempt_terms> terms{};  ///< by which it gives way, see preemption; nothing: it never does
  bool is_leaving = false;               ///< it has been preempted, and still holds its nodes
  ticks killed_at = end_of_clock;        ///< of one that is to give way and runs on, see grace_periods
  ticks may_preempt_from = 0;            ///< of one that waits: when it may preempt others again

  std::uint64_t id() const { return of->id; }
  /// When it has started, of one that runs and is not leaving.
  ticks begin() const { return end - limit; }
  bool is_in_grace() const { return killed_at != end_of_clock; }
};

/// Slurm's order of waiting jobs.
struct earlier_in_queue {
  bool operator()(const slurm_job* a, const slurm_job* b) const {
    if (a->qos_level != b->qos_level) return a->qos_level > b->qos_level;
    if (a->tier != b->tier) return a->tier > b->tier;
    if (a->priority != b->priority) return a->priority > b->priority;
    return a->id() < b->id();
  }
};

}  // namespace muster
