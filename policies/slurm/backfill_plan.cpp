#include "muster/policies/slurm/backfill_plan.h"

#include <algorithm>

#include "muster/policies/slurm/pass_times.h"

namespace muster {

void backfill_plan::begin(ticks now) {
  now_ = now;
  stands_until_ = end_of_clock;
  has_changed_ = false;
  limit_without_ = 0;
  planned_.clear(now, now + set_.bf_window, nodes_.up());
}

backfill_plan::outcome backfill_plan::place(const slurm_job& j, const node_set& of_partition) {
  if (j.limit == limit_without_ && j.of->type == type_without_) return outcome::nothing;
  has_to_preempt_ = false;
  const outcome planned = find_place(j, of_partition);
  const outcome found = has_to_preempt_ ? outcome::preemption : planned;
  has_changed_ = has_changed_ || found != outcome::nothing;
  type_without_ = j.of->type;
  limit_without_ = found == outcome::nothing ? j.limit : 0;
  return found;
}

// Takes the nodes of outages within [from, until) from the open ones. @return when the job is tried again after the
// first end of an outage, a second later; 0: no outage is in its way, or that is behind the window
ticks backfill_plan::leave_outages(ticks from, ticks until) {
  bool any = false;
  ticks end = end_of_clock;
  for (const node_table::outage& o : nodes_.outages()) {
    if (o.until >= from) end = std::min(end, o.until);
    if (o.until <= from) continue;
    if (o.from < until) {
      any = true;
      open_ -= o.nodes;
    } else if (from == now_) {
      stands_until_ = std::min(stands_until_, o.from - (until - from) + 1);
    }
  }
  if (!any) return 0;
  const ticks again = first_of_grid(0, set_.bf_resolution, end) + set_.second;
  if (again < now_ + set_.bf_window) return again;
  stands_until_ = std::min(stands_until_, again - set_.bf_window + 1);
  return 0;
}

// The nodes on which a job may start now whose limit ends then.
const node_set& backfill_plan::open_until(ticks limit) {
  open_ = nodes_.with_free_cores();
  leave_outages(now_, now_ + limit);
  planned_.find_free(now_, now_ + limit, open_, taken_);
  return taken_;
}

// When a job can start on the free nodes, beside running jobs that do not give way to it.
ticks backfill_plan::find_start(const slurm_job& j, const node_set& of_partition, ticks bound) {
  preempts_ = preempting_.concerns(j) && !search_.fits_now(j.of->type, free_);
  if (!preempts_) return search_.earliest(j.of->type, free_, now_, bound);
  return preempting_.earliest(j, of_partition, free_, now_, bound);
}

bool backfill_plan::has_chosen_completing() const {
  const auto& chosen = search_.chosen();
  return !completing_.empty() && std::any_of(chosen.begin(), chosen.end(), [this](const node_share& share) {
    return completing_.all().contains(share.node);
  });
}

// Finds the nodes on which a job starts that can start now on the free ones, none of those that it has then completing.
void backfill_plan::choose_for_start(class_id type) {
  if (completing_.empty() && !nodes_.any_needs_devices()) return;
  search_.weights().clear(free_);
  free_ -= completing_.all();
  search_.fits_now(type, free_);
}

backfill_plan::outcome backfill_plan::find_place(const slurm_job& j, const node_set& of_partition) {
  const class_id type = j.of->type;
  const ticks resolution = set_.bf_resolution;
  for (ticks from = now_, later = 1; later != 0; from = later) {
    open_ = nodes_.usable(type);
    const ticks behind_outage = leave_outages(from, from + j.limit);
    const planned_nodes::free_nodes free = planned_.find_free(from, from + j.limit, open_, free_);
    if (from == now_ && free.beyond < end_of_clock) stands_until_ = std::min(stands_until_, free.beyond - j.limit);
    later = free.change == 0 ? behind_outage : behind_outage == 0 ? free.change : std::min(free.change, behind_outage);
    free_ &= nodes_.up();
    // Slurm tests a job on too few nodes, too, which sets their weights.
    if (free_.count() < nodes_.fewest_nodes(type) && !nodes_.needs_devices(type)) continue;
    const ticks found = find_start(j, of_partition, later == 0 ? end_of_clock : later);
    if (found == end_of_clock) continue;
    ticks start = std::max(found, from);
    if (start <= now_ && has_chosen_completing()) {
      start = now_ + set_.second;
      later = 0;
      stands_until_ = now_ + 1;
    }
    if (start <= now_ && !preempts_) {
      choose_for_start(type);
      return outcome::start;
    }
    if (start <= now_) {
      has_to_preempt_ = true;
      preempts_on_ = free_;
    }
    if (later != 0 && start > later) continue;
    if (start > now_ + set_.bf_window) {
      stands_until_ = std::min(stands_until_, start - set_.bf_window);
      return outcome::nothing;
    }
    const ticks begin = std::max(now_, start / resolution * resolution);
    const ticks rounded = (start + j.limit) / resolution * resolution;
    const ticks end = std::max(rounded, begin + resolution);
    if (begin == now_) stands_until_ = std::min(stands_until_, std::max(now_ + 1, rounded - resolution));
    if (end > now_ + set_.bf_window) stands_until_ = std::min(stands_until_, end - set_.bf_window);
    taken_ = node_set(nodes_.size());
    for (const node_share& share : search_.chosen()) taken_.insert(share.node);
    if (!planned_.overlaps(begin, end, taken_)) {
      planned_.reserve(begin, end, taken_);
      return outcome::reservation;
    }
    if (start > from) later = start;
  }
  return outcome::nothing;
}

}  // namespace muster
