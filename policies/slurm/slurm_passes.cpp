#include <algorithm>

#include "muster/policies/slurm/slurm_scheduler.h"

// What the main passes and the backfill passes of slurm_scheduler do.

namespace muster {

void slurm_scheduler::main_pass(rigid_view cluster, rigid_decisions& decide) {
  const ticks now = cluster.now();
  const std::size_t most = main_.is_full(now) ? queue_.size() : set_.default_queue_depth;
  main_.make(now);
  if (!any_fits(cluster)) return;
  nodes_.find_down(cluster);
  node_set open = nodes_.up();
  std::vector<bool> blocked(nodes_of_partition_.size());
  std::size_t tested = 0, started = 0;
  for (auto next = queue_.begin(); next != queue_.end(); ++tested) {
    if (tested == most) {
      main_.ask_full(now + 1);
      break;
    }
    slurm_job& j = **next;
    const auto here = next++;
    if (blocked[j.partition] || exceeds_limits(j)) continue;
    const class_id type = j.of->type;
    if (fits_now(j, open, now)) {
      if (!cluster.fits(type)) continue;  // what the cluster has as a whole does not suffice
      queue_.erase(here);
      start(j, search_.chosen(), cluster, decide);
      ++started;
    } else {
      blocked[j.partition] = true;
      open -= nodes_of_partition_[j.partition];
    }
  }
  cluster.count_examined(tested);
  if (started > 0) change_by_starts(now);
}

bool slurm_scheduler::fits_now(const slurm_job& j, const node_set& open, ticks now) {
  node_set nodes = nodes_.usable(j.of->type);
  nodes &= open;
  for (const node_table::outage& o : nodes_.outages())
    if (o.from <= now + j.limit && now < o.until) nodes -= o.nodes;
  return search_.fits_now(j.of->type, nodes);
}

// Jobs that start leave their reservations, so that plans change.
void slurm_scheduler::change_by_starts(ticks now) {
  backfill_.change(now);
  backfill_changed_ = true;
}

void slurm_scheduler::backfill_pass(rigid_view cluster, rigid_decisions& decide) {
  const ticks now = cluster.now();
  backfill_.make(now);
  backfill_changed_ = false;
  std::size_t candidates = 0;  // jobs that may start now
  fitting_.clear();
  for (const class_id id : cluster.classes()) {
    fitted_[id] = cluster.waiting(id) > 0 && cluster.fits(id);
    if (!fitted_[id]) continue;
    fitting_.push_back(id);
    candidates += cluster.waiting(id);
  }
  stands_until_ = end_of_clock;
  if (candidates == 0) return;
  nodes_.find_down(cluster);
  plan_.begin(now);
  of_user_.clear();
  of_partition_.assign(nodes_of_partition_.size(), 0);
  cluster.count_examined(std::min(queue_.size(), set_.bf_max_job_test));
  const ticks shortest = shortest_limit();
  std::size_t tested = 0, started = 0;
  for (auto next = queue_.begin(); next != queue_.end() && candidates > 0 && started < set_.bf_max_job_start;) {
    if (plan_.has_reserved() && !any_may_start(shortest)) break;
    if (tested++ == set_.bf_max_job_test) break;
    slurm_job& j = **next;
    const auto here = next++;
    if (fitted_[j.of->type]) --candidates;
    if (exceeds_limits(j) || is_beyond_limits_of_pass(j)) continue;
    if (!plan_.place(j) || !cluster.fits(j.of->type)) continue;
    queue_.erase(here);
    start(j, search_.chosen(), cluster, decide);
    ++started;
  }
  stands_until_ = plan_.stands_until();
  if (started > 0) change(now);
}

// The shortest limit of the jobs that may start now.
ticks slurm_scheduler::shortest_limit() const {
  ticks shortest = end_of_clock;
  for (const slurm_job* j : queue_)
    if (fitted_[j->of->type]) shortest = std::min(shortest, j->limit);
  return shortest;
}

// Whether there is room for some job beside what is reserved until its limit, of which the shortest is given.
bool slurm_scheduler::any_may_start(ticks shortest) {
  const node_set& open = plan_.open_until(shortest);
  return std::any_of(fitting_.begin(), fitting_.end(), [&](class_id id) {
    open_ = open;
    open_ &= nodes_.usable(id);
    return search_.has_room(id, open_);
  });
}

bool slurm_scheduler::is_beyond_limits_of_pass(const slurm_job& j) {
  const bool of_user = set_.bf_max_job_user < jobs_.size() && of_user_[j.of->user]++ >= set_.bf_max_job_user;
  return of_partition_[j.partition]++ >= set_.bf_max_job_part || of_user;
}

}  // namespace muster
