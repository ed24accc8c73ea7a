#include "muster/modules/scheduler/accounting/time_account.h"

#include <algorithm>

namespace muster {

time_account::time_account(const cluster_state& state, job_kind jobs, task_allocator* resources)
    : state_(state),
      stages_(jobs),
      clocks_(state.class_count()),
      free_(state.group_count()),
      resources_(resources && resources->resource_count() > 1 ? std::make_unique<resource_waits>(state, *resources)
                                                              : nullptr),
      waiting_for_(state.group_count()) {
  for (const class_id id : state.classes()) {
    const unsigned need = jobs == job_kind::rigid ? state.type(id).need : 1;
    any_drawn_ = any_drawn_ || state.type(id).drawn > 0;
    if (state.type(id).drawn > 0)
      anywhere_.push_back({id, need, time_part::fragmentation});  // unless one of the job's own servers is idle
    else if (state.usable_cores(id) == state.all_cores() && !state.counts_tasks())
      anywhere_.push_back({id, need, time_part::behind_others});
    else
      restricted_.push_back({id, need, time_part::behind_others});
  }
  any_restricted_ = !restricted_.empty();
  counts_jobs_ = any_drawn_ || resources_;
  for (const class_need& c : anywhere_) set_cause(0, c.id, c.if_free);
  for (const group_id group : id_range<group_id>{free_.size()}) {
    free_[group] = state.free_in(group);
    all_free_ += free_[group];
  }
}

void time_account::arrives(job_extension& j) {
  if (!j.times) j.times = std::make_unique<job_times>();
  j.times->begin(j.arrival);
}

void time_account::slice_is_ordered(ticks now, const slice_extension& s, slice_stage at) {
  const job_extension& j = *s.holder;
  job_times& t = *j.times;
  settle(now, j);
  if (t.slices_++ == 0) {
    end_waiting(now, j);
    slice_stages::order_first(t, at);
  } else {
    stages_.order_one_more(t, at);
  }
  free_cores_change(s.group);
}

// Examines the causes of waiting of classes. A change of free cores concerns those whose needs lie between the numbers
// before and after it.
void time_account::examine_classes(ticks now) {
  while (first_free_ > 0 && is_free(anywhere_[first_free_ - 1])) {
    --first_free_;
    set_cause(now, anywhere_[first_free_].id, anywhere_[first_free_].if_free);
  }
  while (first_free_ < anywhere_.size() && !is_free(anywhere_[first_free_])) {
    set_cause(now, anywhere_[first_free_].id, time_part::no_core);
    ++first_free_;
  }
  least_free_ = first_free_ < anywhere_.size() ? anywhere_[first_free_].cores : 0;
  range_ = (first_free_ > 0 ? anywhere_[first_free_ - 1].cores : ~std::uint64_t{0}) - least_free_;
  restricted_changed_ = false;
  if (any_restricted_) examine_restricted(now);
}

void time_account::examine_restricted(ticks now) {
  if (resources_) {
    for (const class_need& c : restricted_) set_cause(now, c.id, resources_->examine(now, c.id));
    return;
  }
  for (const class_need& c : restricted_)
    set_cause(now, c.id, !is_free(c) ? time_part::no_core : !state_.fits(c.id) ? time_part::fragmentation : c.if_free);
}

void time_account::set_cause(ticks now, class_id id, time_part cause) {
  class_clock& clock = clocks_[id];
  const std::size_t place = place_of(cause);
  if (place == clock.cause) return;
  clock.run_to(now);
  clock.cause = place;
}

void time_account::add_waiting(ticks now, const job_extension& j) {
  job_times& t = *j.times;
  class_clock& clock = clocks_[j.type];
  clock.run_to(now);
  for (std::size_t cause = 0; cause < job_times::causes; ++cause)
    t.spent_[static_cast<std::size_t>(time_part::no_core) + cause] += clock.elapsed[cause] - t.seen_[cause];
  t.seen_ = clock.elapsed;
  t.since_ = now;
}

void time_account::begin_waiting(ticks now, const job_extension& j) {
  job_times& t = *j.times;
  settle(now, j);
  if (waiting_++ == 0) examine_classes(now);
  t.counted_ = t.waits_ = true;
  see_clocks(now, j);
  if (counts_jobs_) count_apart(now, j);
}

void time_account::count_apart(ticks now, const job_extension& j) {
  if (resources_)
    resources_->begin_waiting(now, j);
  else if (state_.type(j.type).drawn > 0)
    join_drawn(j);
}

void time_account::stop_counting(ticks now, const job_extension& j) {
  if (resources_)
    resources_->end_waiting(now, j);
  else if (j.times->place_ != job_times::nowhere)
    leave_drawn(j);
}

void time_account::see_clocks(ticks now, const job_extension& j) {
  class_clock& clock = clocks_[j.type];
  clock.run_to(now);
  j.times->seen_ = clock.elapsed;
}

void time_account::join_drawn(const job_extension& j) {
  j.times->place_ = drawn_.size();
  drawn_.push_back(&j);
  count_waiting(j, 1);
}

void time_account::leave_drawn(const job_extension& j) {
  job_times& t = *j.times;
  drawn_[t.place_] = drawn_.back();
  drawn_[t.place_]->times->place_ = t.place_;
  drawn_.pop_back();
  t.place_ = job_times::nowhere;
  if (std::exchange(t.held_back_, false)) --jobs_held_back_;
  count_waiting(j, -1);
}

void time_account::count_waiting(const job_extension& j, int more) {
  for (const group_id group : pooled_view::servers(j)) {
    const bool before = held_back(group);
    waiting_for_[group] += static_cast<std::uint32_t>(more);
    groups_held_back_ += held_back(group) - before;
  }
}

void time_account::count_held_back(group_id group, unsigned free) {
  if (waiting_for_[group] > 0) groups_held_back_ += (free > 0) - (free_[group] > 0);
}

// Examines the jobs that have drawn their servers, while the policy leaves a server idle that one of them may use, or
// did so at the event before.
void time_account::examine_drawn(ticks now) {
  for (const job_extension* j : drawn_) {
    const auto servers = pooled_view::servers(*j);
    const bool held = std::any_of(servers.begin(), servers.end(), [&](group_id g) { return free_[g] > 0; });
    job_times& t = *j->times;
    if (held == t.held_back_) continue;
    settle(now, *j);
    t.held_back_ = held;
    if (held)
      ++jobs_held_back_;
    else
      --jobs_held_back_;
    t.waits_ = !held;
    t.now_ = time_part::behind_others;
    see_clocks(now, *j);
  }
}

}  // namespace muster
