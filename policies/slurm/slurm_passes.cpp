#include <algorithm>

#include "muster/policies/slurm/slurm_scheduler.h"

// What the main passes and the backfill passes of slurm_scheduler do.

namespace muster {

void slurm_scheduler::main_pass(rigid_view cluster, rigid_decisions& decide) {
  const ticks now = cluster.now();
  const std::size_t most = main_.is_full(now) ? queue_.size() : set_.default_queue_depth;
  main_.make(now);
  if (!any_fits(cluster) && !each_pass_counts(cluster)) return;
  nodes_.find_down(cluster);
  node_set open = nodes_.up();
  std::vector<bool> blocked(nodes_of_partition_.size());
  std::size_t open_partitions = queue_.partitions(), started = 0;
  const std::size_t tested = std::min(most, queue_.size());
  if (tested < queue_.size()) main_.ask_full(now + 1);
  for (std::size_t place = 0; place < tested && open_partitions > 0; ++place) {
    slurm_job& j = queue_[place];
    if (blocked[j.partition] || exceeds_limits(j)) continue;
    const node_set usable = nodes_now(j, open, now);
    node_set nodes = usable;
    nodes -= completing_.all();
    search_.weights().clear(usable);
    if (search_.fits_now(j.of->type, nodes)) {
      if (!cluster.fits(j.of->type)) continue;  // what the cluster has as a whole does not suffice
      queue_.take(place);
      start(j, search_.chosen(), cluster, decide);
      ++started;
    } else {
      search_.weights().test_idle(j.of->type, usable);
      if (preempting_.concerns(j)) preempt(j, nodes, cluster, decide);
      blocked[j.partition] = true;
      --open_partitions;
      open -= nodes_of_partition_[j.partition];
    }
  }
  cluster.count_examined(tested);
  if (started > 0) {
    queue_.close_gaps();
    change_by_starts(now);
  }
  if (each_pass_counts(cluster)) main_.ask_full(now + 1);
}

// The nodes on which a main pass may start a job.
node_set slurm_scheduler::nodes_now(const slurm_job& j, const node_set& open, ticks now) const {
  node_set nodes = nodes_.usable(j.of->type);
  nodes &= open;
  for (const node_table::outage& o : nodes_.outages())
    if (o.from < now + j.limit && now < o.until) nodes -= o.nodes;
  return nodes;
}

// Slurm tests a job that is submitted on the nodes that it may use, as if they were idle.
void slurm_scheduler::test_submitted(const slurm_job& j, ticks now) {
  if (!nodes_.any_needs_devices()) return;
  node_set nodes = nodes_now(j, nodes_.up(), now);
  search_.weights().clear(nodes);
  nodes -= completing_.all();
  search_.weights().test_idle(j.of->type, nodes);
}

// Jobs that start leave their reservations, and jobs that are preempted their nodes, so that plans change.
void slurm_scheduler::change_by_starts(ticks now) {
  backfill_.change(now);
  backfill_changed_ = true;
}

void slurm_scheduler::backfill_pass(rigid_view cluster, rigid_decisions& decide) {
  const ticks now = cluster.now();
  backfill_.make(now);
  backfill_changed_ = false;
  stands_until_ = end_of_clock;
  find_candidates(cluster);
  if (candidates_.empty() && !each_pass_counts(cluster)) return;
  const bool some_preempt = preempting_.concerns(queue_);
  std::size_t with_devices = 0;  // jobs that are still to be tested and leave weights to the next pass
  for (const class_id id : cluster.classes())
    if (nodes_.needs_devices(id)) with_devices += cluster.waiting(id);
  nodes_.find_down(cluster);
  plan_.begin(now);
  clear_limits_of_pass();
  const std::size_t tested = std::min(queue_.size(), set_.bf_max_job_test);
  if (takes_long(tested, cluster)) return begin_long_pass(tested, cluster, decide);
  cluster.count_examined(tested);
  std::size_t started = 0;
  for (std::size_t place = 0; place < tested && started < set_.bf_max_job_start; ++place) {
    if (!some_preempt && with_devices == 0 && plan_.has_changed() && !candidates_.any_may_start(place, plan_)) break;
    slurm_job& j = queue_[place];
    if (nodes_.needs_devices(j.of->type)) --with_devices;
    if (!is_to_start(j, cluster, decide)) continue;
    queue_.take(place);
    start(j, search_.chosen(), cluster, decide);
    ++started;
  }
  stands_until_ = plan_.stands_until();
  if (started == 0) return;
  queue_.close_gaps();
  change(now);
}

bool slurm_scheduler::exceeds_limits(const slurm_job& j) {
  return (set_.max_jobs_per_user < jobs_.size() && running_of(j) >= set_.max_jobs_per_user) || limits_.exceeded_by(j);
}

// Plans a job in a backfill pass. @return whether it is to start now, on search_.chosen()
bool slurm_scheduler::is_to_start(slurm_job& j, rigid_view cluster, rigid_decisions& decide) {
  if (exceeds_limits(j) || is_beyond_limits_of_pass(j)) return false;
  const backfill_plan::outcome found = plan_.place(j, nodes_of_partition_[j.partition]);
  if (found == backfill_plan::outcome::preemption) preempt(j, plan_.preempts_on(), cluster, decide);
  return found == backfill_plan::outcome::start && cluster.fits(j.of->type);
}

// Finds the jobs that fit and that the pass may come to. A job whose user, or partition, reaches a limit of running
// jobs in the pass does not count for its partition there. Where there are such limits, no job is therefore left out as
// beyond limits of the pass.
void slurm_scheduler::find_candidates(rigid_view cluster) {
  candidates_.clear();
  bool any = false;
  for (const class_id id : cluster.classes()) {
    fitted_[id] = cluster.waiting(id) > 0 && cluster.fits(id);
    any = any || fitted_[id];
  }
  if (!any) return;
  clear_limits_of_pass();
  const bool users_have_limits = set_.max_jobs_per_user < jobs_.size() || limits_.any();
  const std::size_t tested = std::min(queue_.size(), set_.bf_max_job_test);
  for (std::size_t place = 0; place < tested; ++place) {
    const slurm_job& j = queue_[place];
    const bool passed = exceeds_limits(j) || (is_beyond_limits_of_pass(j) && !users_have_limits);
    if (fitted_[j.of->type] && !passed) candidates_.add(j, place);
  }
  candidates_.close();
}

void slurm_scheduler::clear_limits_of_pass() {
  of_user_.clear();
  of_partition_.assign(nodes_of_partition_.size(), 0);
}

bool slurm_scheduler::is_beyond_limits_of_pass(const slurm_job& j) {
  const bool of_user = set_.bf_max_job_user < jobs_.size() && of_user_[j.of->user]++ >= set_.bf_max_job_user;
  return of_partition_[j.partition]++ >= set_.bf_max_job_part || of_user;
}

}  // namespace muster
