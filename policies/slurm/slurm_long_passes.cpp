#include <algorithm>

#include "muster/policies/slurm/slurm_scheduler.h"

// What backfill passes of slurm_scheduler do that take so long that they yield.

namespace muster {

// Whether a pass that tests so many jobs yields, or has to break off, before the last of them.
bool slurm_scheduler::takes_long(std::size_t tested, rigid_view cluster) const {
  const ticks each = cluster.time_per_job(), now = cluster.now();
  return each > 0 && ((tested - 1) * each >= set_.bf_yield_interval || is_too_late(now, now + (tested - 1) * each));
}

// Whether a pass is over by bf_max_time, as Slurm counts it: by full seconds.
bool slurm_scheduler::is_too_late(ticks begin, ticks at) const {
  return (at / set_.second - begin / set_.second) * set_.second >= set_.bf_max_time;
}

void slurm_scheduler::begin_long_pass(std::size_t tested, rigid_view cluster, rigid_decisions& decide) {
  pass_ = {};
  pass_.begin = cluster.now();
  pass_.jobs.reserve(tested);
  for (std::size_t place = 0; place < tested; ++place) pass_.jobs.push_back(queue_[place].id());
  test_until_yield(cluster, decide);
}

void slurm_scheduler::resume_long_pass(rigid_view cluster, rigid_decisions& decide) {
  if (backfill_changed_ && !set_.bf_continue) return end_long_pass(cluster.now());
  nodes_.find_down(cluster);
  plan_.resume(cluster.now());
  test_until_yield(cluster, decide);
}

// Tests the next jobs of the pass, of those that still wait, until it yields or is over.
void slurm_scheduler::test_until_yield(rigid_view cluster, rigid_decisions& decide) {
  const ticks now = cluster.now(), each = cluster.time_per_job();
  const std::size_t started_before = pass_.started;
  ticks at = now;  // when the next job is tested
  const auto is_over = [&] {
    return pass_.next == pass_.jobs.size() || pass_.started >= set_.bf_max_job_start || is_too_late(pass_.begin, at);
  };
  while (!is_over() && at - now < set_.bf_yield_interval) {
    const auto found = jobs_.find(pass_.jobs[pass_.next++]);
    if (found == jobs_.end() || !queue_.contains(found->second)) continue;
    slurm_job& j = found->second;
    at += each;
    if (!is_to_start(j, cluster, decide)) continue;
    queue_.erase(j);
    start(j, search_.chosen(), cluster, decide);
    ++pass_.started;
  }
  cluster.count_examined((at - now) / each);
  if (pass_.started > started_before) change(now);
  if (is_over()) return end_long_pass(at);
  pass_.resumes = at + set_.bf_yield_sleep;
  backfill_changed_ = false;
}

void slurm_scheduler::end_long_pass(ticks at) {
  pass_.resumes = end_of_clock;
  backfill_.make(at);
  backfill_changed_ = true;  // by jobs that it has not seen, or nodes that were left in between
}

}  // namespace muster
