#include "muster/policies/slurm/preemption.h"

#include <algorithm>
#include <numeric>

namespace muster {

bool preemption::concerns(const waiting_jobs& queue) const {
  if (queue.empty() || running_.empty()) return false;
  if (!set_.preempts_by_qos) return concerns(queue[0]);
  for (std::size_t row = 0; row < running_of_qos_.size(); ++row)
    if (queue.has_qos(row) && concerns_qos(row)) return true;
  return false;
}

bool preemption::concerns_qos(std::size_t row) const {
  for (std::size_t other = 0; other < running_of_qos_.size(); ++other)
    if (running_of_qos_[other] > 0 && qos_.preempts(row, other)) return true;
  return false;
}

ticks preemption::earliest(const slurm_job& waiting, const node_set& of_partition, const node_set& nodes, ticks now,
                           ticks bound) {
  find_candidates(waiting, of_partition, now);
  for (const slurm_job* j : candidates_) hide(*j);
  const ticks start = search_.earliest(waiting.of->type, nodes, now, bound);
  for (const slurm_job* j : candidates_) show(*j);
  return start;
}

const std::vector<slurm_job*>& preemption::find(const slurm_job& waiting, const node_set& of_partition,
                                                const node_set& nodes, ticks now) {
  found_.clear();
  find_candidates(waiting, of_partition, now);
  std::size_t tries = 0, gone = 0;
  do {
    if (tries > 0) reorder(gone - 1);
    gone = hide_until_it_fits(waiting.of->type, nodes);
    if (gone == 0) return found_;
  } while (tries++ <= set_.preempt_reorder_count && tries < candidates_.size());
  for (std::size_t n = 0; n < gone; ++n)
    if (uses(*candidates_[n], chosen_)) found_.push_back(candidates_[n]);
  return found_;
}

void preemption::find_candidates(const slurm_job& waiting, const node_set& of_partition, ticks now) {
  candidates_.clear();
  for (slurm_job* j : running_)
    if (gives_way_to(*j, waiting) && j->begin() + j->terms->exempt <= now && uses(*j, of_partition))
      candidates_.push_back(j);
    else if (!set_.preempts_by_qos && j->tier >= waiting.tier)
      break;
  if (!set_.preempt_youngest_first) return;
  std::sort(candidates_.begin(), candidates_.end(), [](const slurm_job* a, const slurm_job* b) {
    return a->begin() != b->begin() ? a->begin() > b->begin() : a->id() < b->id();
  });
}

void preemption::hide(const slurm_job& running) {
  search_.remove(running);
  nodes_.end(running.held);
}

void preemption::show(const slurm_job& running) {
  nodes_.hold(running.held);
  search_.add(running);
}

// Takes candidates away until a job fits, finds its nodes, and brings them back. @return how many were needed; 0: all
// do not suffice
std::size_t preemption::hide_until_it_fits(class_id type, const node_set& nodes) {
  std::size_t gone = 0;
  bool fits = false;
  while (!fits && gone < candidates_.size()) {
    hide(*candidates_[gone++]);
    fits = search_.has_room(type, nodes);
  }
  search_.fits_now(type, nodes);
  for (std::size_t n = 0; n < gone; ++n) show(*candidates_[n]);
  if (!fits) return 0;
  chosen_.clear();
  for (const node_share& share : search_.chosen()) chosen_.insert(share.node);
  return gone;
}

// Puts the candidate with which the job fits first, behind it those that share most nodes with it, unless their order
// is strict.
void preemption::reorder(std::size_t last) {
  const auto needed = candidates_.begin() + static_cast<std::ptrdiff_t>(last);
  const auto shared = [&](const slurm_job* j) {
    return std::count_if(j->held.begin(), j->held.end(),
                         [&](const slurm_job::holding& h) { return chosen_.contains(h.node); });
  };
  std::rotate(candidates_.begin(), needed, needed + 1);
  if (set_.preempt_strict_order) return;
  std::stable_sort(candidates_.begin() + 1, needed + 1,
                   [&](const slurm_job* a, const slurm_job* b) { return shared(a) > shared(b); });
}

bool preemption::uses(const slurm_job& j, const node_set& nodes) {
  return std::any_of(j.held.begin(), j.held.end(), [&](const slurm_job::holding& h) { return nodes.contains(h.node); });
}

}  // namespace muster
