#include <algorithm>

#include "muster/policies/slurm/slurm_scheduler.h"

// What slurm_scheduler does where jobs give way to others.

namespace muster {

// Lets others give way to a job on some nodes, unless those to which it has ordered that may still be leaving.
void slurm_scheduler::preempt(slurm_job& j, const node_set& nodes, rigid_view cluster, rigid_decisions& decide) {
  const ticks now = cluster.now();
  if (now < j.may_preempt_from) return;
  const std::vector<slurm_job*>& found = preempting_.find(j, nodes_of_partition_[j.partition], nodes, now);
  if (found.empty()) return;
  j.may_preempt_from = now + set_.preemption_wait;
  for (slurm_job* other : found) give_way(*other, now, decide);
  change_by_starts(now);
}

// Lets the GraceTime of a job begin, or kills it, if it has none or that is over.
void slurm_scheduler::give_way(slurm_job& j, ticks now, rigid_decisions& decide) {
  if (j.terms->grace > 0 && !j.is_in_grace()) {
    search_.remove(j);
    grace_.begin(j, now);
    search_.add(j);
  } else if (!j.is_in_grace() || j.end <= now) {
    take_off(j, now, decide);
  }
}

// Kills a job, which is expected to leave as one that has exceeded its limit.
void slurm_scheduler::take_off(slurm_job& j, ticks now, rigid_decisions& decide) {
  grace_.end(j);
  preempting_.remove(j);
  search_.remove(j);
  j.is_leaving = true;
  j.end = now;
  search_.add(j);
  decide.kill(*j.of, j.terms->is_cancelled ? queue_place::nowhere : queue_place::by_arrival);
}

// Kills the jobs whose GraceTime is over.
void slurm_scheduler::end_grace_periods(ticks now, rigid_decisions& decide) {
  while (slurm_job* const j = grace_.due(now)) {
    take_off(*j, now, decide);
    change_by_starts(now);
  }
}

void slurm_scheduler::preempted(const job& j, rigid_view cluster, rigid_decisions& decide) {
  begin_event(cluster);
  slurm_job& own = jobs_.at(j.id);
  leave_nodes(own, cluster);
  const ticks now = cluster.now();
  apart_.emplace(now - now % set_.second + set_.requeue_wait, &own);
  by_time_ = std::min(by_time_, apart_.begin()->first);
  ask_after_preemption(now);
  end_event(cluster, decide);
}

void slurm_scheduler::ask_after_preemption(ticks now) {
  if (set_.defer)
    main_.ask_background(now);
  else
    main_.ask_at(now + set_.completing_time);
}

// Lets the jobs join the queue that have waited apart from it until now.
void slurm_scheduler::end_waits_apart(rigid_view cluster) {
  while (!apart_.empty() && apart_.begin()->first <= cluster.now()) {
    wait(*apart_.begin()->second, cluster);
    apart_.erase(apart_.begin());
  }
}

}  // namespace muster
