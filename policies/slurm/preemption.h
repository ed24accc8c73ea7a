#pragma once

#include <set>
#include <tuple>
#include <vector>

#include "muster/policies/slurm/qos_table.h"
#include "muster/policies/slurm/slurm_parameters.h"
#include "muster/policies/slurm/start_search.h"
#include "muster/policies/slurm/waiting_jobs.h"

namespace muster {

/// Which running jobs give way to a waiting one: by Slurm's preempt/partition_prio those of partitions of a lower
/// PriorityTier, by preempt/qos those of the QOS that its own QOS preempts. They run on nodes of its partition, and
/// have run for PreemptExemptTime. One in its GraceTime may be found again, as by Slurm, to no effect.
class preemption {
 public:
  /// @param nodes, search, set outlive the object
  preemption(node_table& nodes, start_search& search, const slurm_settings& set, const qos_table& qos)
      : nodes_(nodes), search_(search), set_(set), qos_(qos), running_of_qos_(qos.size()), chosen_(nodes.size()) {}

  /// @name Running jobs, but for those that are giving way
  /// @{
  void add(slurm_job& running) {
    if (!running.terms) return;
    running_.insert(&running);
    ++running_of_qos_[running.qos];
  }
  void remove(slurm_job& running) {
    if (!running.terms) return;
    running_.erase(&running);
    --running_of_qos_[running.qos];
  }
  /// @}

  /// Whether some running job may have to give way to a waiting one, now or later.
  bool concerns(const slurm_job& waiting) const {
    if (running_.empty()) return false;
    return set_.preempts_by_qos ? concerns_qos(waiting.qos) : gives_way_to(**running_.begin(), waiting);
  }
  /// Whether some running job may have to give way to one that waits.
  bool concerns(const waiting_jobs& queue) const;
  /// When a job can start on some nodes if all that may give way to it are gone, as start_search::earliest() says.
  /// @param of_partition nodes of the job's partition
  ticks earliest(const slurm_job& waiting, const node_set& of_partition, const node_set& nodes, ticks now, ticks bound);
  /// Finds the jobs that have to give way now for a waiting one, which does not fit on some nodes; none: it does not
  /// fit there without all of them, either.
  ///
  /// Candidates are taken away one by one, those of the lowest tier first, or the QOS of the lowest priority, of these
  /// those on the fewest nodes, until the job fits. Their order is then changed, so that fewer of them are needed, and
  /// the search begins anew, as often as `preempt_reorder_count` says. Of those that are gone in the end the ones on
  /// the job's nodes have to give way.
  const std::vector<slurm_job*>& find(const slurm_job& waiting, const node_set& of_partition, const node_set& nodes,
                                      ticks now);

 private:
  // Slurm's order of candidates.
  struct earlier {
    bool operator()(const slurm_job* a, const slurm_job* b) const {
      return std::forward_as_tuple(a->gives_way_by, a->held.size(), a->id()) <
             std::forward_as_tuple(b->gives_way_by, b->held.size(), b->id());
    }
  };

  bool concerns_qos(std::size_t row) const;
  bool gives_way_to(const slurm_job& running, const slurm_job& waiting) const {
    return set_.preempts_by_qos ? qos_.preempts(waiting.qos, running.qos) : running.tier < waiting.tier;
  }
  void find_candidates(const slurm_job& waiting, const node_set& of_partition, ticks now);
  void hide(const slurm_job& running);
  void show(const slurm_job& running);
  std::size_t hide_until_it_fits(class_id type, const node_set& nodes);
  void reorder(std::size_t last);
  static bool uses(const slurm_job& j, const node_set& nodes);

  node_table& nodes_;
  start_search& search_;
  const slurm_settings& set_;
  const qos_table& qos_;
  std::set<slurm_job*, earlier> running_;
  std::vector<std::size_t> running_of_qos_;  // of these
  // The following are values of the search that is made.
  std::vector<slurm_job*> candidates_, found_;
  node_set chosen_;  // nodes of the waiting job
};

}  // namespace muster
