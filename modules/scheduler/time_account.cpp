#include "muster/modules/scheduler/time_account.h"

#include <algorithm>
#include <utility>

namespace muster {

namespace {

using stage = slice_stage;

constexpr time_part part_at[] = {time_part::decision, time_part::network, time_part::overhead, time_part::running,
                                 time_part::overhead, time_part::network, time_part::decision};

// The stage of several slices that tells what their job's time is spent on: the first of these at which there is one.
// A rigid job progresses when all its slices have got so far, another one when any of them has.
constexpr stage rigid_order[] = {stage::ordered, stage::outbound,  stage::overhead, stage::running,
                                 stage::saving,  stage::returning, stage::answered};
constexpr stage shared_order[] = {stage::running,   stage::overhead, stage::saving,  stage::outbound,
                                  stage::returning, stage::ordered,  stage::answered};

}  // namespace

time_account::time_account(const timekeeper& time, const cluster_state& state, progress jobs)
    : time_(time),
      state_(state),
      jobs_(jobs),
      clocks_(state.class_count()),
      free_(state.group_count()),
      waiting_for_(state.group_count()) {
  for (const class_id id : state.classes()) {
    const unsigned need = jobs == progress::rigid ? state.need(id) : 1;
    if (state.type(id).drawn > 0)
      anywhere_.push_back({id, need, time_part::fragmentation});  // unless one of the job's own servers is idle
    else if (state.usable_cores(id) == state.all_cores())
      anywhere_.push_back({id, need, time_part::behind_others});
    else
      restricted_.push_back({id, need, time_part::behind_others});
  }
  for (const class_need& c : anywhere_) set_cause(c.id, c.if_free);
  for (const group_id group : id_range<group_id>{free_.size()}) {
    free_[group] = state.free_in(group);
    all_free_ += free_[group];
  }
}

void time_account::arrives(job_extension& j) {
  if (!j.times) j.times = std::make_unique<job_times>();
  j.times->begin(j.arrival);
}

void time_account::slice_is_ordered(const slice_extension& s, slice_stage at) {
  const job_extension& j = *s.holder;
  job_times& t = *j.times;
  settle(j);
  if (t.slices_++ == 0) {
    end_waiting(j);
    t.ran_before_ = t[time_part::running];
  }
  ++t.at(at);
  t.now_ = t.slices_ == 1 ? part_at[static_cast<std::size_t>(at)] : part_of(t);
  free_cores_change(s.group);
}

// Where its response waits for its turn, it is `answered`; a slice that its server has refused has never begun.
slice_stage time_account::last_stage(const job_extension& j) {
  return j.times->at(stage::returning) > 0 ? stage::returning : stage::outbound;
}

void time_account::response_is_processed(const slice_extension& s) {
  const job_extension& j = *s.holder;
  job_times& t = *j.times;
  settle(j);
  --t.at(t.at(stage::answered) > 0 ? stage::answered : last_stage(j));
  if (--t.slices_ == 0)
    wait_unless_ordered(j);
  else
    t.now_ = part_of(t);
}

void time_account::free_cores_change(group_id group) {
  const bool before = held_back(group);
  all_free_ -= free_[group];
  free_[group] = state_.free_in(group);
  all_free_ += free_[group];
  groups_held_back_ += held_back(group) - before;
  changed_ = true;
}

void time_account::event_is_processed() {
  if (may_wait_) begin_waiting(*std::exchange(may_wait_, nullptr));
  if (changed_ && waiting_ > 0) {
    changed_ = false;
    examine_classes();
  }
  if (groups_held_back_ + jobs_held_back_ > 0) examine_drawn();
}

// A change of free cores concerns the classes whose needs lie between the numbers before and after it.
void time_account::examine_classes() {
  while (first_free_ > 0 && is_free(anywhere_[first_free_ - 1])) {
    --first_free_;
    set_cause(anywhere_[first_free_].id, anywhere_[first_free_].if_free);
  }
  while (first_free_ < anywhere_.size() && !is_free(anywhere_[first_free_])) {
    set_cause(anywhere_[first_free_].id, time_part::no_core);
    ++first_free_;
  }
  for (const class_need& c : restricted_)
    set_cause(c.id, !is_free(c)                         ? time_part::no_core
                    : state_.free_cores(c.id) < c.cores ? time_part::fragmentation
                                                        : c.if_free);
}

void time_account::set_cause(class_id id, time_part cause) {
  class_clock& clock = clocks_[id];
  const std::size_t place = place_of(cause);
  if (place == clock.cause) return;
  clock.elapsed[clock.cause] += time_.now() - clock.since;
  clock.since = time_.now();
  clock.cause = place;
}

const job_times& time_account::complete(const job_extension& j) {
  settle(j);
  end_waiting(j);
  return *j.times;
}

void time_account::move(const job_extension& j, stage from, stage to) {
  job_times& t = *j.times;
  settle(j);
  --t.at(from);
  ++t.at(to);
  if (t.slices_ == 1) {
    if (to == stage::running) t.alone_since_ = t.since_;
    if (from == stage::running) t.alone_ = t.since_ - t.alone_since_;
    t.now_ = part_at[static_cast<std::size_t>(to)];
    return;
  }
  const std::uint32_t running = t.at(stage::running);
  if (from == stage::running && running == 0) t.alone_ = t.since_ - t.alone_since_;
  if ((from == stage::running || to == stage::running) && running == 1) t.alone_since_ = t.since_;
  t.now_ = part_of(t);
}

void time_account::add_time(const job_extension& j) {
  job_times& t = *j.times;
  const ticks now = time_.now();
  if (t.waits_) {
    const class_clock& clock = clocks_[j.type];
    for (std::size_t cause = 0; cause < job_times::causes; ++cause) {
      const ticks elapsed = clock.at(cause, now);
      t.spent_[static_cast<std::size_t>(time_part::no_core) + cause] += elapsed - t.seen_[cause];
      t.seen_[cause] = elapsed;
    }
  } else {
    t.at(t.now_) += now - t.since_;
  }
  t.since_ = now;
}

// Most jobs leave, or get a slice, before the event has been processed. Events may be nested.
void time_account::wait_unless_ordered(const job_extension& j) {
  if (may_wait_) begin_waiting(*may_wait_);
  may_wait_ = &j;
}

void time_account::begin_waiting(const job_extension& j) {
  job_times& t = *j.times;
  settle(j);
  if (waiting_++ == 0) examine_classes();
  t.counted_ = t.waits_ = true;
  see_clocks(j);
  if (state_.type(j.type).drawn > 0) join_drawn(j);
}

void time_account::see_clocks(const job_extension& j) {
  const class_clock& clock = clocks_[j.type];
  job_times& t = *j.times;
  for (std::size_t cause = 0; cause < job_times::causes; ++cause) t.seen_[cause] = clock.at(cause, t.since_);
}

void time_account::end_waiting(const job_extension& j) {
  job_times& t = *j.times;
  if (may_wait_ == &j) may_wait_ = nullptr;
  if (std::exchange(t.counted_, false)) --waiting_;
  t.waits_ = false;
  if (t.place_ != job_times::nowhere) leave_drawn(j);
}

time_part time_account::part_of(const job_times& t) const {
  const auto& order = jobs_ == progress::rigid ? rigid_order : shared_order;
  const stage* const tells = std::find_if(std::begin(order), std::end(order) - 1,
                                          [&](stage s) { return t.slices_at_[static_cast<std::size_t>(s)] > 0; });
  return part_at[static_cast<std::size_t>(*tells)];
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
  for (const group_id group : state_.servers(j)) {
    const bool before = held_back(group);
    waiting_for_[group] += static_cast<std::uint32_t>(more);
    groups_held_back_ += held_back(group) - before;
  }
}

// The policy leaves a server idle that a waiting job may use, or did so at the event before.
void time_account::examine_drawn() {
  for (const job_extension* j : drawn_) {
    const auto servers = state_.servers(*j);
    const bool held = std::any_of(servers.begin(), servers.end(), [&](group_id g) { return free_[g] > 0; });
    job_times& t = *j->times;
    if (held == t.held_back_) continue;
    settle(*j);
    t.held_back_ = held;
    jobs_held_back_ += held ? 1 : -1;
    t.waits_ = !held;
    t.now_ = time_part::behind_others;
    see_clocks(*j);
  }
}

}  // namespace muster
