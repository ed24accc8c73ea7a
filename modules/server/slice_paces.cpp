#include "muster/modules/server/slice_paces.h"

#include <algorithm>
#include <utility>

#include "muster/modules/kernel/parts_of_ticks.h"
#include "muster/modules/server/server_governors.h"
#include "muster/modules/server/server_power.h"

namespace muster {

static_assert(server_speeds::most < 16.0);  // see parts_of_ticks.h

slice_paces::slice_paces(timekeeper& time, server_speeds& speeds, std::uint32_t first, const core_ledger& cores,
                         slice_table& slices, const own_timers& timers)
    : time_(time), speeds_(speeds), first_(first), cores_(cores), slices_(slices), timers_(timers) {
  speeds.connect(*this, first, cores.core_count() / cores.cores_each());
}

// The clock that has the pace of a slice; null: there is none.
inline work_clock* slice_paces::clock_of(std::uint32_t index) const {
  if (progress_[index].place != alone) return clock_of_gang(index);
  return speeds_.clock(first_ + slices_[index].server);
}

inline void slice_paces::settle(progress& p, ticks now) {
  p.done = std::min(p.done + tick_sum{now - p.since} * p.pace, p.target);
  p.since = now;
}

// Settles what a slice has done that has run until now. It follows no clock from now on.
inline void slice_paces::cease(std::uint32_t index, ticks now) {
  progress& p = progress_[index];
  if (p.clock)
    leave_clock(index, p.clock->remove(p.follower), now);
  else
    settle(p, now);
}

void slice_paces::moves(slice_stage from, slice_stage to, std::uint32_t index, ticks now) {
  held_slice& s = slices_[index];
  if (server_power* const power = speeds_.power())
    power->slice_moves(first_ + s.server, s.cores.length, from, to, s.held_resources());
  if (server_governors* const governors = speeds_.governors())
    governors->slice_moves(first_ + s.server, s.cores.length, from, to);
  if (s.work()) {
    shared_moves(from, to, index, now);
    return;
  }
  if (from == slice_stage::outbound) begin(index);
  if (to == slice_stage::running) {
    run(index, now);
    if (progress_[index].place != alone) speeds_.works(*s.holder(), progress_[index].place, s.cores.length);
  } else if (from == slice_stage::running && to != slice_stage::returning) {
    progress& p = progress_[index];
    cease(index, now);
    p.runs = false;
    // The timer of a checkpoint, or of the end of the work before data are moved, may have been rounded.
    if (to == slice_stage::overhead || s.why == slice_extension::end::completed) p.done = p.target;
    if (p.place != alone) speeds_.pauses(*s.holder(), p.place);
  }
}

// Follows a slice that works on shared work from one stage to another.
void slice_paces::shared_moves(slice_stage from, slice_stage to, std::uint32_t index, ticks now) {
  const held_slice& s = slices_[index];
  const ticks slot = s.extension->checkpoints.every;
  if (from == slice_stage::outbound) speeds_.add_notice(first_ + s.server);
  if (slot > 0 && from == slice_stage::outbound) progress_of(index) = progress{};
  if (to != slice_stage::running) return;
  const double speed = speeds_.working_speed(first_ + s.server);
  s.work()->change_rate(timers_.of_shared_work, index, s.extension->rate * speed);
  if (slot == 0) return;
  progress& p = progress_[index];
  p.since = now;
  p.runs = true;
  p.pace = parts_per_tick(s.extension->rate * speed);
}

slice_paces::progress& slice_paces::progress_of(std::uint32_t index) {
  if (index >= progress_.size()) progress_.resize(index + 1);
  return progress_[index];
}

void slice_paces::begin(std::uint32_t index) {
  const held_slice& s = slices_[index];
  progress& p = progress_of(index) = progress{};
  const job_extension* const job = s.holder();
  const std::uint32_t server = first_ + s.server;
  if (job && job->own.open_slices > 1) {
    p.place = speeds_.join(*this, index, server, *job);
    p.pace = parts_per_tick(speeds_.pace(*job));
  } else {
    p.pace = parts_per_tick(speeds_.working_speed(server));
  }
}

void slice_paces::run(std::uint32_t index, ticks now) {
  progress& p = progress_[index];
  p.since = now;
  p.runs = true;
  p.target = in_parts(work_to_next_stop(slices_[index]));
  time_.cancel(slices_[index].timer);
  go_on(index, now);
}

work_clock* slice_paces::clock_of_gang(std::uint32_t index) const { return speeds_.clock(*slices_[index].holder()); }

// Lets a slice that runs and has no timer follow the clock that has its pace, or arms its timer.
void slice_paces::go_on(std::uint32_t index, ticks now) {
  if (work_clock* const clock = clock_of(index))
    follow(index, *clock);
  else
    arm(index, now);
}

void slice_paces::follow(std::uint32_t index, work_clock& clock) {
  held_slice& s = slices_[index];
  progress& p = progress_[index];
  p.clock = &clock;
  p.follower = clock.add(*this, index, s.descriptor().job, p.target - p.done);
  s.on_clock = true;
}

// @param left of the work of a slice that has been removed from its clock
void slice_paces::leave_clock(std::uint32_t index, work left, ticks now) {
  held_slice& s = slices_[index];
  progress& p = progress_[index];
  p.done = p.target - left;
  p.since = now;
  p.pace = parts_per_tick(speeds_.working_speed(first_ + s.server));
  p.clock = nullptr;
  s.on_clock = false;
}

void slice_paces::work_is_due(std::uint32_t index, tick_sum left) {
  const ticks now = time_.now();
  leave_clock(index, left, now);
  arm(index, now);
}

// The work of a slice until its next checkpoint, or until its end, from its beginning.
ticks slice_paces::work_to_next_stop(const held_slice& s) const {
  const ticks duration = s.descriptor().duration;
  const bool writes = timers_.stop_for_checkpoints && s.extension && s.extension->checkpoints.any_left();
  return writes ? s.extension->checkpoints.time_to_next(duration) : duration;
}

// Forgets what a slotted job's slice has done in earlier slots.
void slice_paces::settle_slot(progress& p, ticks slot, ticks now) {
  if (now == p.since) return;
  const ticks in_slot = time_in_slot(now, slot);
  if (in_slot <= now - p.since) p.done = 0;
  p.done += tick_sum{std::min(now - p.since, in_slot)} * p.pace;
  p.since = now;
}

// Sets the timer of a slice that runs to the tick nearest to the instant at which its work is done.
void slice_paces::arm(std::uint32_t index, ticks now) {
  held_slice& s = slices_[index];
  const progress& p = progress_[index];
  s.timer = time_.arm(now + ticks_for(p.target - p.done, p.pace), s.descriptor().job, timers_.ends, index);
}

void slice_paces::ends(std::uint32_t index, ticks now) {
  held_slice& s = slices_[index];
  if (s.work()) {
    if (s.why == slice_extension::end::failed && s.extension->checkpoints.every > 0) lose_slot(index, now);
    speeds_.remove_notice(first_ + s.server);
    return;
  }
  progress& p = progress_[index];
  if (p.runs) cease(index, now);
  const bool all = std::exchange(p.runs, false) && s.why == slice_extension::end::completed;
  if (s.extension) s.extension->done = all ? s.descriptor().duration : static_cast<ticks>(p.done >> bits_of_part);
  if (p.place != alone) speeds_.leave(*s.holder(), p.place);
}

// Tells the extension of a slotted job's slice that has failed what it has done in the present slot.
void slice_paces::lose_slot(std::uint32_t index, ticks now) {
  progress& p = progress_[index];
  slice_extension& lost = *slices_[index].extension;
  if (p.runs) settle_slot(p, lost.checkpoints.every, now);
  lost.done = nearest_tick(p.done);
  lost.done_in_slot = true;
}

void slice_paces::set_down(std::uint32_t server, bool down) {
  if (server_power* const power = speeds_.power()) power->set_down(first_ + server, down);
}

// Visits each slice on the server at the first of its cores. Cores of a server that is down are held by no slice.
void slice_paces::speed_changes(std::uint32_t server, double speed) {
  constexpr std::uint32_t most_slices = std::uint32_t{1} << 31U;
  const std::uint32_t cores_each = cores_.cores_each();
  if (cores_.idle_cores(server) == cores_each) return;
  for (core_ledger::core c = server * cores_each; c < (server + 1) * cores_each; ++c) {
    const std::uint32_t index = cores_.holder(c);
    if (index >= most_slices || slices_[index].cores.first != c) continue;
    const held_slice& s = slices_[index];
    if (s.work()) {
      if (s.at == slice_stage::running) shared_speed_changes(index, speed);
    } else if (progress_[index].place == alone) {
      pace_changes(index, speed);
    }
  }
}

void slice_paces::shared_speed_changes(std::uint32_t index, double speed) {
  const held_slice& s = slices_[index];
  const double rate = s.extension->rate * speed;
  s.work()->change_rate(timers_.of_shared_work, index, rate);
  const ticks slot = s.extension->checkpoints.every;
  if (slot == 0) return;
  settle_slot(progress_[index], slot, time_.now());
  progress_[index].pace = parts_per_tick(rate);
}

void slice_paces::pace_changes(std::uint32_t index, double pace) {
  progress& p = progress_[index];
  if (p.clock && p.clock == clock_of(index)) return;
  const ticks now = time_.now();
  if (p.runs && !p.clock) time_.cancel(slices_[index].timer);
  if (p.runs) cease(index, now);
  p.pace = parts_per_tick(pace);
  if (p.runs) go_on(index, now);
}

}  // namespace muster
