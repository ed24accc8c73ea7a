#include "muster/modules/server/slice_bank.h"

#include <algorithm>
#include <utility>

#include "muster/policies/algorithms/prefetch.h"

namespace muster {

using namespace sc_core;
using namespace tlm;

namespace {

// Limits costs so that their sums with a time of the clock cannot overflow.
server_costs within_clock(server_costs c) {
  for (ticks* cost : {&c.dispatch_latency, &c.set_up, &c.restore, &c.migration, &c.save, &c.wake})
    *cost = std::min(*cost, end_of_clock);
  return c;
}

// The place in the network from which the state of a slice's job is fetched: a server, or the storage, which keeps the
// checkpoints of a job whose server has failed. Nothing: the state is at no place of the network.
std::optional<network::place> place_of_state(const network& over, const slice_descriptor& work,
                                             const slice_extension* extension) {
  if (work.state == 0 || !extension) return std::nullopt;
  if (extension->state_from != slice_extension::at_no_server) return extension->state_from;
  const bool is_checkpoint = work.start == slice_start::migrated && over.has_storage();
  return is_checkpoint ? std::optional{network::at_storage} : std::nullopt;
}

}  // namespace

slice_bank::slice_bank(timekeeper& time, const server_settings& given, slice_observer& observer)
    : time_(time),
      costs_(within_clock(given.costs)),
      prepares_(costs_.any_before_work() || given.fetch_over || given.resources),
      interruptions_(given.interruptions),
      observer_(&observer),
      cores_(given.count, given.cores, costs_.sleep_after),
      resources_(given.resources ? std::optional<resource_ledger>(std::in_place, given.count, *given.resources)
                                 : std::nullopt),
      network_(given.fetch_over),
      first_(given.first_in_network),
      settles_more_(given.resources || given.speeds),
      pauses_(costs_.checkpoint > 0 || given.data),
      data_(given.data ? std::make_unique<slice_data>(time, given, static_cast<slice_data_observer&>(*this))
                       : nullptr) {
  if (!given.speeds) return;
  const bool stops_for_checkpoints = costs_.checkpoint > 0;
  paces_ = std::make_unique<slice_paces>(time, *given.speeds, first_, cores_, slices_,
                                         slice_paces::own_timers{*this, *this, stops_for_checkpoints});
  observers_.show_always();
}

bool slice_bank::begin(tlm_generic_payload& p, slice_extension* extension, std::uint32_t server,
                       const slice_descriptor& work, ticks now) {
  // The end of shared work does not depend on the duration.
  const bool lasts =
      work.duration - 1 < end_of_clock - 1 - now || (work.duration > 0 && extension && extension->rate > 0.0);
  if (work.cores == 0 || work.cores > cores_.idle_cores(server) || !lasts) return false;
  const std::uint32_t index = slices_.add();
  held_slice& s = slices_[index];
  s.transaction = &p;
  s.extension = extension;
  s.server = server;
  s.cores = cores_.take(server, static_cast<std::uint32_t>(work.cores), index);
  s.held = {now};
  if (extension) extension->place = index;
  if (extension && extension->rate > 0.0)
    begin_pooled(index, work, now);
  else if (prepares_)
    fetch_or_prepare(index, work, now);
  else
    run(index, work, now);
  if (observers_.any()) show(stage::outbound, s.at, index, now);
  return true;
}

void slice_bank::begin_pooled(std::uint32_t index, const slice_descriptor& work, ticks now) {
  pooled_work& shared = *slices_[index].work();
  const bool too_late = shared.done();  // the other servers may have done the work while the dispatch was on its way
  shared.join(time_, *this, index, work.job);
  if (too_late || !prepares_)
    become_productive(index, work, now);
  else
    fetch_or_prepare(index, work, now);
}

void slice_bank::fetch_or_prepare(std::uint32_t index, const slice_descriptor& work, ticks now) {
  held_slice& s = slices_[index];
  if (const std::uint64_t* const held = resources_ ? s.held_resources() : nullptr) resources_->take(s.server, held);
  const auto from = network_ ? place_of_state(*network_, work, s.extension) : std::nullopt;
  if (from) {
    s.at = stage::overhead;
    s.fetches = true;
    s.state = network_->fetch(*from, first_ + s.server, work.state, *this, index);
  } else {
    read_or_prepare(index, work, now);
  }
}

// Fetches the input of a slice, if it has one, before the rest of its overhead.
void slice_bank::read_or_prepare(std::uint32_t index, const slice_descriptor& work, ticks now) {
  held_slice& s = slices_[index];
  if (data_ && s.holder() && !s.work() && data_->fetch_input(index, s.server, *s.extension, s.cores.length))
    s.at = stage::overhead;
  else
    prepare(index, work, now);
}

void slice_bank::prepare(std::uint32_t index, const slice_descriptor& work, ticks now) {
  held_slice& s = slices_[index];
  const ticks wake = costs_.wake > 0 && cores_.any_slept(s.cores, s.held.begun) ? costs_.wake : 0;
  const ticks overhead = wake + costs_.before_work(work);
  if (overhead == 0) {
    become_productive(index, work, now);
  } else {
    s.at = stage::overhead;
    s.timer = time_.arm(now + overhead, work.job, *this, index);
  }
}

// Ends the overhead of a slice before its cores have become productive, or while they write a checkpoint.
void slice_bank::stop_preparing(std::uint32_t index) {
  held_slice& s = slices_[index];
  if (s.writes_checkpoint()) s.extension->writing = true;
  if (s.fetches)
    network_->forget(s.state);
  else if (!(data_ && data_->forget(index)))
    time_.cancel(s.timer);
  s.fetches = false;
}

void slice_bank::become_productive(std::uint32_t index, const slice_descriptor& work, ticks now) {
  held_slice& s = slices_[index];
  pooled_work* const shared = s.work();
  if (!shared) {
    run(index, work, now);
    return;
  }
  s.at = stage::running;
  s.held.productive = now;
  const ticks until = interruptions_ ? now + std::min(interruptions_->next(s.server), end_of_clock) : end_of_clock;
  shared->begin(*this, index, s.extension->rate, until);
}

// Runs a slice that has a duration of its own.
void slice_bank::run(std::uint32_t index, const slice_descriptor& work, ticks now) {
  held_slice& s = slices_[index];
  s.at = stage::running;
  s.held.productive = now;
  if (costs_.checkpoint > 0)
    run_to_checkpoint(index, work, now);
  else
    s.timer = time_.arm(now + work.duration, work.job, *this, index);
}

// Runs a slice to its next checkpoint, or to the end of its work.
void slice_bank::run_to_checkpoint(std::uint32_t index, const slice_descriptor& work, ticks now) {
  held_slice& s = slices_[index];
  const bool writes = s.extension && s.extension->checkpoints.any_left();
  const ticks works = writes ? s.extension->checkpoints.time_to_next(work.duration) : work.duration;
  s.timer = time_.arm(std::max(now, s.held.productive + works), work.job, *this, index);
}

// Begins to write a checkpoint. @return false: the slice has done its work
bool slice_bank::begin_checkpoint(std::uint32_t index, ticks now) {
  held_slice& s = slices_[index];
  if (!s.extension || !s.extension->checkpoints.any_left()) return false;
  s.at = stage::overhead;
  s.why = slice_extension::end::completed;
  s.held.ceased = now;
  s.timer = time_.arm(now + costs_.checkpoint, s.descriptor().job, *this, index);
  if (observers_.any()) show(stage::running, stage::overhead, index, now);
  return true;
}

// Ends a checkpoint. Its time counts as if it had passed before the cores became productive.
void slice_bank::end_checkpoint(std::uint32_t index, ticks now) {
  held_slice& s = slices_[index];
  s.at = stage::running;
  s.held.productive += now - s.held.ceased;
  s.held.ceased = core_ledger::tenure::never;
  s.extension->checkpoints.next += s.extension->checkpoints.every;
  run_to_checkpoint(index, s.descriptor(), now);
  if (observers_.any()) show(stage::overhead, stage::running, index, now);
}

void slice_bank::expired(ticks now, std::uint32_t index) {
  if (slices_[index].at != stage::running)
    leave_stage(index, now);
  else if (!pauses_ || !pause(index, now))
    end(index, slice_extension::end::completed, now);
}

// Lets a slice that has worked write a checkpoint, or move its data. @return false: it has nothing more to do
bool slice_bank::pause(std::uint32_t index, ticks now) {
  return (costs_.checkpoint > 0 && begin_checkpoint(index, now)) || (data_ && settle_data(index, now));
}

// Lets a slice that has done its work wait for data, its input or its output.
bool slice_bank::settle_data(std::uint32_t index, ticks now) {
  if (!data_->settle(index)) return false;
  held_slice& s = slices_[index];
  s.at = stage::saving;
  s.why = slice_extension::end::completed;
  s.held.ceased = now;
  if (observers_.any()) show(stage::running, stage::saving, index, now);
  return true;
}

void slice_bank::data_moved(ticks now, std::uint32_t index) {
  held_slice& s = slices_[index];
  if (s.at == stage::overhead) {
    prepare(index, s.descriptor(), now);
    if (s.at != stage::overhead) show_productive(index, now);
  } else if (!data_->settle(index)) {
    end(index, slice_extension::end::completed, now);
  }
}

// Lets a slice leave its stage, as the time of overhead or saving has passed.
void slice_bank::leave_stage(std::uint32_t index, ticks now) {
  held_slice& s = slices_[index];
  if (s.writes_checkpoint()) {
    end_checkpoint(index, now);
    return;
  }
  if (s.at == stage::saving) {
    end(index, s.why, now);
    return;
  }
  if (std::exchange(s.fetches, false)) {
    read_or_prepare(index, s.descriptor(), now);
    if (s.at == stage::overhead) return;
  } else {
    become_productive(index, s.descriptor(), now);
  }
  show_productive(index, now);
}

// Shows that the overhead of a slice is over.
void slice_bank::show_productive(std::uint32_t index, ticks now) {
  if (observers_.any()) show(stage::overhead, stage::running, index, now);
  observer_->slice_moves_on(*slices_[index].transaction, slice_productive);
}

void slice_bank::work_done(ticks now, std::uint32_t index) {
  held_slice& s = slices_[index];
  if (s.at == stage::overhead) stop_preparing(index);
  end(index, slice_extension::end::completed, now);
}

void slice_bank::time_is_up(ticks now, std::uint32_t index) {
  cease(index);
  save(index, slice_extension::end::interrupted, now);
}

void slice_bank::prefetch_for_expiration(std::uint32_t index, prefetch_step step) {
  const held_slice& s = slices_[index];
  if (step == prefetch_step::first) prefetch(&s);
  if (step != prefetch_step::second) return;
  prefetch(s.transaction);
  prefetch(s.extension);
  cores_.prefetch_holder(s.cores.first);
  if (interruptions_) interruptions_->prefetch_next(s.server);
}

// Ends the work of a slice that has a duration of its own, while its input may be on its way.
void slice_bank::stop_running(std::uint32_t index) {
  if (!slices_[index].on_clock) time_.cancel(slices_[index].timer);
  if (data_) data_->forget(index);
}

// Lets a slice's cores stop working, or preparing to work, before the work is done.
void slice_bank::cease(std::uint32_t index) {
  held_slice& s = slices_[index];
  if (s.at == stage::overhead)
    stop_preparing(index);
  else if (!s.work())
    stop_running(index);
  if (pooled_work* const shared = s.work()) shared->leave(*this, index);
}

void slice_bank::save(std::uint32_t index, slice_extension::end why, ticks now) {
  held_slice& s = slices_[index];
  if (costs_.save == 0) {
    end(index, why, now);
    return;
  }
  const stage from = std::exchange(s.at, stage::saving);
  s.why = why;
  if (from == stage::running) s.held.ceased = now;  // set already where the slice was writing a checkpoint
  s.timer = time_.arm(now + costs_.save, timer_rank::interruption | s.descriptor().job, *this, index);
  if (observers_.any()) show(from, stage::saving, index, now);
  observer_->slice_moves_on(*s.transaction, slice_saving);
}

void slice_bank::end(std::uint32_t index, slice_extension::end why, ticks now) {
  held_slice& s = slices_[index];
  s.why = why;
  if (observers_.any()) show(s.at, stage::returning, index, now);
  const core_times times = cores_.give_back(s.server, s.cores, s.held, now);
  slice_extension* const extension = s.extension;
  if (extension) {
    extension->place = slice_extension::nowhere;
    extension->ended = why;
    extension->worked = why != slice_extension::end::failed && s.held.productive != core_ledger::tenure::never;
    extension->ran = extension->done = times.running;
  }
  if (extension && extension->holder) {
    tick_sum& all = slices_.time_run(extension->holder->declared_class());
    all += static_cast<tick_sum>(times.running) * s.cores.length;
  }
  if (settles_more_) settle_more(index, now);
  tlm_generic_payload& p = *s.transaction;
  slices_.remove(s, index);
  const bool told = extension || why != slice_extension::end::failed;
  observer_->slice_ended(p, told);
}

void slice_bank::settle_more(std::uint32_t index, ticks now) {
  const held_slice& s = slices_[index];
  if (paces_) paces_->ends(index, now);
  if (!resources_) return;
  const std::uint64_t* const held = s.held_resources();
  if (!held) return;
  const core_times times = s.held.times(now);
  resources_->give_back(s.server, held, {times.overhead, times.running});
}

bool slice_bank::stop(std::uint32_t server, std::uint64_t job, const slice_extension* meant, bool keep_state) {
  const auto found = slices_.find(server, job, meant);
  if (!found) return false;
  held_slice& s = slices_[*found];
  if (s.at == stage::saving) return true;
  const bool has_state = s.writes_checkpoint() || (s.at == stage::running && !(s.work() && s.work()->done()));
  cease(*found);
  if (has_state && keep_state)
    save(*found, slice_extension::end::stopped, time_.now());
  else
    end(*found, slice_extension::end::stopped, time_.now());
  return true;
}

void slice_bank::lose_all(std::uint32_t server, ticks now) {
  const std::uint32_t cores_each = cores_.cores_each();
  for (core_ledger::core c = server * cores_each; c < (server + 1) * cores_each; ++c) {
    const std::uint32_t index = cores_.holder(c);
    if (index == core_ledger::no_holder) continue;
    if (slices_[index].at != stage::saving)
      cease(index);
    else if (!(data_ && data_->forget(index)))
      time_.cancel(slices_[index].timer);
    end(index, slice_extension::end::failed, now);
  }
}

void slice_bank::show(stage from, stage to, std::uint32_t index, ticks now) {
  if (observers_.see_all())
    show_all(from, to, index, now);
  else
    observers_.show_stage(from, to, slices_[index].holder(), now);
}

void slice_bank::show_all(stage from, stage to, std::uint32_t index, ticks now) {
  if (paces_) paces_->moves(from, to, index, now);
  if (observers_.has_observer())
    observers_.show_all(from, to, slices_.view(slices_[index], observers_.bank()), now);
  else
    observers_.show_stage(from, to, slices_[index].holder(), now);
}

}  // namespace muster
