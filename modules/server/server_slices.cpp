#include "muster/modules/server/server.h"

// The server and its slices, from dispatch to the response.

namespace muster {

using namespace sc_core;
using namespace tlm;

std::uint32_t server::new_slice() {
  if (idle_slices_.empty()) {
    slices_.emplace_back();
    return static_cast<std::uint32_t>(slices_.size() - 1);
  }
  const std::uint32_t index = idle_slices_.back();
  idle_slices_.pop_back();
  return index;
}

bool server::begin(tlm_generic_payload& p, slice_extension* extension, std::uint64_t address, ticks now) {
  const std::uint64_t target = address / server_register::stride;
  slice_descriptor work;
  if (target >= count_) {
    p.set_response_status(TLM_ADDRESS_ERROR_RESPONSE);
    return false;
  }
  if (p.get_data_length() != sizeof work || p.get_streaming_width() < sizeof work) {
    p.set_response_status(TLM_BURST_ERROR_RESPONSE);
    return false;
  }
  if (p.get_byte_enable_ptr()) {
    p.set_response_status(TLM_BYTE_ENABLE_ERROR_RESPONSE);
    return false;
  }
  if (!p.get_data_ptr()) {
    p.set_response_status(TLM_GENERIC_ERROR_RESPONSE);
    return false;
  }
  std::memcpy(&work, p.get_data_ptr(), sizeof work);
  const auto at = static_cast<std::uint32_t>(target);
  if (extension && is_down(at)) {
    extension->ended = slice_extension::end::failed;
    extension->worked = false;
    p.set_response_status(TLM_OK_RESPONSE);
    return false;
  }
  // The end of shared work does not depend on the duration.
  const bool lasts =
      work.duration - 1 < end_of_clock - 1 - now || (work.duration > 0 && extension && extension->rate > 0.0);
  if (is_down(at) || work.cores == 0 || work.cores > cores_.idle_cores(at) || !lasts) {
    p.set_response_status(TLM_GENERIC_ERROR_RESPONSE);
    return false;
  }
  const std::uint32_t index = new_slice();
  slice& s = slices_[index];
  s.transaction = &p;
  s.server = at;
  s.cores = cores_.take(at, static_cast<std::uint32_t>(work.cores), index);
  s.held = {now};
  if (extension) extension->place = index;
  pooled_work* const shared = s.work();
  // A dispatch may still be on its way when the other servers have done the job's work.
  const bool too_late = shared && shared->done();
  if (shared) shared->join(time_, *this, index, work.job);
  if (too_late) {
    become_productive(index, now);
  } else if (network_ && work.state > 0 && extension && extension->state_from != slice_extension::at_no_server) {
    s.at = stage::overhead;
    s.fetches = true;
    s.state = network_->fetch(extension->state_from, first_ + at, work.state, *this, index);
  } else {
    prepare(index, work, now);
  }
  if (observer_) show(&server_observer::slice_begins, index, now);
  return true;
}

void server::prepare(std::uint32_t index, const slice_descriptor& work, ticks now) {
  slice& s = slices_[index];
  const ticks wake = costs_.wake > 0 && cores_.any_slept(s.cores, s.held.begun) ? costs_.wake : 0;
  const ticks overhead = wake + costs_.before_work(work);
  if (overhead == 0) {
    become_productive(index, now);
  } else {
    s.at = stage::overhead;
    s.timer = time_.arm(now + overhead, work.job, *this, index);
  }
}

// Before its cores have become productive.
void server::stop_preparing(slice& s) {
  if (s.fetches)
    network_->forget(s.state);
  else
    time_.cancel(s.timer);
  s.fetches = false;
}

void server::become_productive(std::uint32_t index, ticks now) {
  slice& s = slices_[index];
  s.at = stage::running;
  s.held.productive = now;
  pooled_work* const shared = s.work();
  if (!shared) {
    const slice_descriptor work = s.descriptor();
    s.timer = time_.arm(now + work.duration, work.job, *this, index);
    return;
  }
  const ticks until = interruptions_ ? now + std::min(interruptions_->next(s.server), end_of_clock) : end_of_clock;
  shared->begin(*this, index, s.extension()->rate, until);
}

void server::expired(ticks now, std::uint32_t index) {
  if (index & of_health) {
    fault_timer_expired(now, index & ~of_health);
    return;
  }
  switch (slices_[index].at) {
    case stage::late:
      receive_late(index);
      return;
    case stage::overhead:
      if (slices_[index].fetches) {
        slices_[index].fetches = false;
        prepare(index, slices_[index].descriptor(), now);
        if (slices_[index].at == stage::overhead) return;
      } else {
        become_productive(index, now);
      }
      if (observer_) show(&server_observer::slice_works, index, now);
      announce(index, slice_productive);
      return;
    case stage::running:
      end(index, slice_extension::end::completed, now);
      return;
    case stage::saving:
      end(index, slices_[index].why, now);
      return;
  }
}

void server::work_done(ticks now, std::uint32_t index) {
  slice& s = slices_[index];
  if (s.at == stage::overhead) stop_preparing(s);
  end(index, slice_extension::end::completed, now);
}

void server::time_is_up(ticks now, std::uint32_t index) {
  cease(index);
  save(index, slice_extension::end::interrupted, now);
}

void server::expected(std::uint32_t index, unsigned step) {
  if (index & of_health) return;
  const slice& s = slices_[index];
  if (step == 0) fetch(&s, sizeof s);
  if (step != 1) return;
  fetch(s.transaction, sizeof(tlm_generic_payload) + sizeof(slice_extension));
  fetch(cores_.holder_row(s.cores.first), 64);
  if (interruptions_) interruptions_->expected(s.server);
}

// The slice's cores stop working, or preparing to, before its work is done.
void server::cease(std::uint32_t index) {
  slice& s = slices_[index];
  if (s.at == stage::overhead)
    stop_preparing(s);
  else if (!s.work())
    time_.cancel(s.timer);
  if (pooled_work* const shared = s.work()) shared->leave(*this, index);
}

void server::save(std::uint32_t index, slice_extension::end why, ticks now) {
  slice& s = slices_[index];
  if (costs_.save == 0) {
    end(index, why, now);
    return;
  }
  s.why = why;
  s.at = stage::saving;
  s.held.ceased = now;
  s.timer = time_.arm(now + costs_.save, timer_rank::interruption | s.descriptor().job, *this, index);
  if (observer_) show(&server_observer::slice_saves, index, now);
  announce(index, slice_saving);
}

void server::end(std::uint32_t index, slice_extension::end why, ticks now) {
  slice& s = slices_[index];
  s.why = why;
  if (observer_) show(&server_observer::slice_ends, index, now);
  const core_times times = cores_.give_back(s.server, s.cores, s.held, now);
  slice_extension* const extension = s.extension();
  if (extension) {
    extension->place = slice_extension::nowhere;
    extension->ended = why;
    extension->worked = why != slice_extension::end::failed && s.held.productive != core_ledger::tenure::never;
    extension->ran = times.running;
  }
  if (extension && extension->holder) {
    const auto type = static_cast<std::size_t>(extension->holder->type);
    if (type >= run_.size()) run_.resize(type + 1);
    run_[type] += static_cast<tick_sum>(times.running) * s.cores.length;
  }
  tlm_generic_payload& p = *s.transaction;
  s.transaction = nullptr;
  idle_slices_.push_back(index);
  const bool told = extension || why != slice_extension::end::failed;
  p.set_response_status(told ? TLM_OK_RESPONSE : TLM_GENERIC_ERROR_RESPONSE);
  responses_.pass(p, [this](tlm_generic_payload& next) { return respond(next); });
}

void server::announce(std::uint32_t index, tlm_phase phase) {
  sc_time delay = time_.lead();
  dispatch->nb_transport_bw(*slices_[index].transaction, phase, delay);
}

bool server::stop(std::uint32_t target, std::uint64_t job, tlm_generic_payload& p, bool keep_state) {
  const auto found = find_slice(target, job, p);
  if (!found) return false;
  slice& s = slices_[*found];
  if (s.at == stage::saving) return true;
  const bool has_state = s.at == stage::running && !(s.work() && s.work()->done());
  cease(*found);
  if (has_state && keep_state)
    save(*found, slice_extension::end::stopped, time_.now());
  else
    end(*found, slice_extension::end::stopped, time_.now());
  return true;
}

// A stop of muster's own says where the slice is; for others it is searched.
std::optional<std::uint32_t> server::find_slice(std::uint32_t target, std::uint64_t job, tlm_generic_payload& p) const {
  const auto is_meant = [&](const slice& s) {
    return s.transaction && s.at != stage::late && s.server == target && s.descriptor().job == job;
  };
  if (const auto* extension = transaction_pool<slice_extension>::find(p); extension && extension->stops)
    if (const std::uint32_t place = extension->stops->place; place < slices_.size() && is_meant(slices_[place]))
      return place;
  const auto found = std::find_if(slices_.begin(), slices_.end(), is_meant);
  if (found == slices_.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - slices_.begin());
}

}  // namespace muster
