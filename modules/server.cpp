#include "modules/server.h"

#include <algorithm>
#include <cstring>

#include "modules/transaction_pool.h"

namespace muster {

using namespace sc_core;
using namespace tlm;

server::server(const sc_module_name& name, timekeeper& time, std::uint32_t count, std::uint32_t cores,
               const server_costs& costs, interruption_timer* interruptions)
    : sc_module(name), time_(time), costs_(costs), interruptions_(interruptions), count_(count), cores_(count, cores) {
  dispatch.register_nb_transport_fw(this, &server::nb_transport_fw);
  dispatch.register_b_transport(this, &server::b_transport);
  dispatch.register_transport_dbg(this, &server::transport_dbg);
}

inline std::uint32_t server::new_slice() {
  if (idle_slices_.empty()) {
    slices_.emplace_back();
    return static_cast<std::uint32_t>(slices_.size() - 1);
  }
  const std::uint32_t index = idle_slices_.back();
  idle_slices_.pop_back();
  return index;
}

tlm_sync_enum server::nb_transport_fw(tlm_generic_payload& p, tlm_phase& phase, sc_time& delay) {
  if (phase == END_RESP) {
    p.release();
    responses_.answered(p, [this](tlm_generic_payload& next) { return respond(next); });
    return TLM_COMPLETED;
  }
  if (phase != BEGIN_REQ) return TLM_ACCEPTED;  // an extended phase that we do not know
  const ticks at = time_.effective(delay);
  if (at > time_.now()) {
    postpone(p, at);
  } else if (p.get_address() % server_register::stride == server_register::doorbell && p.is_write()) {
    if (!begin(p, at)) return TLM_COMPLETED;
  } else {
    access_register(p);
    return TLM_COMPLETED;
  }
  p.acquire();
  phase = END_REQ;
  return TLM_UPDATED;
}

void server::postpone(tlm_generic_payload& p, ticks at) {
  const std::uint32_t index = new_slice();
  slice& s = slices_[index];
  s.transaction = &p;
  s.at = stage::late;
  s.timer = time_.arm(at, time_.travel_rank(), *this, index);
}

// A request that was postponed is due: it is received once more, and its END_REQ has been sent.
void server::receive_late(std::uint32_t index) {
  tlm_generic_payload& p = *slices_[index].transaction;
  slices_[index].transaction = nullptr;
  idle_slices_.push_back(index);
  tlm_phase phase = BEGIN_REQ;
  sc_time delay = time_.lead();
  if (nb_transport_fw(p, phase, delay) == TLM_COMPLETED)
    responses_.pass(p, [this](tlm_generic_payload& next) { return respond(next); });
  else
    p.release();  // one of two references
}

// A slice ends long after its dispatch: only the registers can be reached with a blocking call.
void server::b_transport(tlm_generic_payload& p, sc_time& delay) {
  if (delay != SC_ZERO_TIME) {
    wait(delay);
    delay = SC_ZERO_TIME;
  }
  access_register(p);
}

unsigned server::transport_dbg(tlm_generic_payload& p) {
  const auto value = register_value(p.get_address());
  if (!p.is_read() || !value) return 0;
  const unsigned length = std::min<unsigned>(p.get_data_length(), sizeof *value);
  std::memcpy(p.get_data_ptr(), &*value, length);
  return length;
}

bool server::begin(tlm_generic_payload& p, ticks now) {
  const std::uint64_t target = p.get_address() / server_register::stride;
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
  std::memcpy(&work, p.get_data_ptr(), sizeof work);
  const auto at = static_cast<std::uint32_t>(target);
  if (work.cores == 0 || work.cores > cores_.idle_cores(at) || work.duration == 0) {
    p.set_response_status(TLM_GENERIC_ERROR_RESPONSE);
    return false;
  }
  const std::uint32_t index = new_slice();
  slice& s = slices_[index];
  s.transaction = &p;
  s.extension = transaction_pool<slice_extension>::find(p);
  s.holder = s.extension ? s.extension->holder : nullptr;
  s.work = s.extension && s.extension->rate > 0.0 ? &s.holder->pool->work : nullptr;
  s.server = at;
  s.cores = cores_.take(at, static_cast<std::uint32_t>(work.cores), index);
  s.job = work.job;
  s.duration = work.duration;
  s.held = {now};
  if (s.extension) s.extension->place = index;
  // A dispatch may still be on its way when the other servers have done the job's work.
  const bool too_late = s.work && s.work->done();
  const ticks overhead = too_late ? 0 : costs_.before_work(work);
  if (s.work) s.work->join(time_, *this, index, work.job);
  if (overhead == 0) {
    become_productive(index, now);
  } else {
    s.at = stage::overhead;
    s.timer = time_.arm(now + overhead, work.job, *this, index);
  }
  return true;
}

void server::become_productive(std::uint32_t index, ticks now) {
  slice& s = slices_[index];
  s.at = stage::running;
  s.held.productive = now;
  if (!s.work) {
    s.timer = time_.arm(now + s.duration, s.job, *this, index);
    return;
  }
  const ticks until = interruptions_ ? now + interruptions_->next(s.server) : end_of_clock;
  s.work->begin(*this, index, s.extension->rate, until);
}

void server::expired(ticks now, std::uint32_t index) {
  switch (slices_[index].at) {
    case stage::late:
      receive_late(index);
      return;
    case stage::overhead:
      become_productive(index, now);
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
  if (s.at == stage::overhead) time_.cancel(s.timer);
  end(index, slice_extension::end::completed, now);
}

void server::time_is_up(ticks now, std::uint32_t index) {
  cease(index);
  save(index, slice_extension::end::interrupted, now);
}

void server::fetch_slice(std::uint32_t index) { fetch(&slices_[index], sizeof slices_[index]); }

void server::fetch_what_it_holds(std::uint32_t index) {
  const slice& s = slices_[index];
  fetch(s.transaction, 256);
  fetch(cores_.holder_row(s.cores.first), 64);
  fetch(&s.holder->descriptor, 64);
}

// The slice's cores stop working, or preparing to, before its work is done.
void server::cease(std::uint32_t index) {
  slice& s = slices_[index];
  if (s.at == stage::overhead || !s.work) time_.cancel(s.timer);
  if (s.work) s.work->leave(*this, index);
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
  s.timer = time_.arm(now + costs_.save, timer_rank::interruption | s.job, *this, index);
  announce(index, slice_saving);
}

void server::end(std::uint32_t index, slice_extension::end why, ticks now) {
  slice& s = slices_[index];
  const core_times times = cores_.give_back(s.server, s.cores, s.held, now);
  if (s.extension) {
    s.extension->ended = why;
    s.extension->worked = s.held.productive != core_ledger::tenure::never;
  }
  if (s.holder) {
    const auto type = static_cast<std::size_t>(s.holder->type);
    if (type >= run_.size()) run_.resize(type + 1);
    run_[type] += static_cast<tick_sum>(times.running) * s.cores.length;
  }
  tlm_generic_payload& p = *s.transaction;
  s.transaction = nullptr;
  idle_slices_.push_back(index);
  p.set_response_status(TLM_OK_RESPONSE);
  responses_.pass(p, [this](tlm_generic_payload& next) { return respond(next); });
}

void server::announce(std::uint32_t index, tlm_phase phase) {
  sc_time delay = time_.lead();
  dispatch->nb_transport_bw(*slices_[index].transaction, phase, delay);
}

bool server::respond(tlm_generic_payload& p) {
  tlm_phase phase = BEGIN_RESP;
  sc_time delay = time_.lead();
  const tlm_sync_enum answer = dispatch->nb_transport_bw(p, phase, delay);
  if (answer != TLM_COMPLETED && !(answer == TLM_UPDATED && phase == END_RESP)) return false;
  p.release();
  return true;
}

void server::access_register(tlm_generic_payload& p) {
  const std::uint64_t target = p.get_address() / server_register::stride;
  const std::uint64_t offset = p.get_address() % server_register::stride;
  const auto value = register_value(p.get_address());
  const bool stops = offset == server_register::stop;
  std::uint64_t job = 0;
  if (target >= count_ || (!value && !stops && offset != server_register::doorbell)) {
    p.set_response_status(TLM_ADDRESS_ERROR_RESPONSE);
  } else if (!(value && p.is_read()) && !(stops && p.is_write())) {
    p.set_response_status(TLM_COMMAND_ERROR_RESPONSE);
  } else if (p.get_byte_enable_ptr()) {
    p.set_response_status(TLM_BYTE_ENABLE_ERROR_RESPONSE);
  } else if (p.get_data_length() != sizeof job || p.get_streaming_width() < sizeof job) {
    p.set_response_status(TLM_BURST_ERROR_RESPONSE);
  } else if (stops) {
    std::memcpy(&job, p.get_data_ptr(), sizeof job);
    p.set_response_status(stop(static_cast<std::uint32_t>(target), job, p) ? TLM_OK_RESPONSE
                                                                           : TLM_GENERIC_ERROR_RESPONSE);
  } else {
    std::memcpy(p.get_data_ptr(), &*value, sizeof *value);
    p.set_response_status(TLM_OK_RESPONSE);
  }
}

// Of a register that can be read.
std::optional<std::uint64_t> server::register_value(std::uint64_t address) const {
  const std::uint64_t target = address / server_register::stride;
  if (target >= count_) return std::nullopt;
  const auto at = static_cast<std::uint32_t>(target);
  switch (address % server_register::stride) {
    case server_register::idle_cores:
      return cores_.idle_cores(at);
    case server_register::running_cores:
      return running_cores(at);
    default:
      return std::nullopt;
  }
}

bool server::stop(std::uint32_t target, std::uint64_t job, const tlm_generic_payload& p) {
  const auto found = find_slice(target, job, p);
  if (!found) return false;
  slice& s = slices_[*found];
  if (s.at == stage::saving) return true;
  const bool has_state = s.at == stage::running && !(s.work && s.work->done());
  cease(*found);
  if (has_state)
    save(*found, slice_extension::end::stopped, time_.now());
  else
    end(*found, slice_extension::end::stopped, time_.now());
  return true;
}

// A stop of muster's own says where the slice is; for others it is searched.
std::optional<std::uint32_t> server::find_slice(std::uint32_t target, std::uint64_t job,
                                                const tlm_generic_payload& p) const {
  const auto is_meant = [&](const slice& s) {
    return s.transaction && s.at != stage::late && s.server == target && s.job == job;
  };
  if (const auto* extension = p.get_extension<slice_extension>(); extension && extension->stops)
    if (const std::uint32_t place = extension->stops->place; place < slices_.size() && is_meant(slices_[place]))
      return place;
  const auto found = std::find_if(slices_.begin(), slices_.end(), is_meant);
  if (found == slices_.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - slices_.begin());
}

std::uint64_t server::running_cores(std::uint32_t target) const {
  std::uint64_t cores = 0;
  for (const slice& s : slices_)
    if (s.transaction && s.server == target && s.at == stage::running) cores += s.cores.length;
  return cores;
}

server::core_view server::core(std::uint32_t index) const {
  const std::uint32_t holder = cores_.holder(index);
  if (holder == core_ledger::nobody) return {core_state::idle, nullptr, cores_.idle_since(index)};
  const slice& s = slices_[holder];
  const ticks since[] = {s.held.begun, s.held.begun, s.held.productive, s.held.ceased};
  return {s.at == stage::running ? core_state::running : core_state::overhead, s.holder,
          since[static_cast<std::size_t>(s.at)]};
}

core_times server::times(std::uint32_t index, ticks now) const {
  core_times account = cores_.settled(index);
  const std::uint32_t holder = cores_.holder(index);
  if (holder == core_ledger::nobody) {
    account.idle += now - cores_.idle_since(index);
    return account;
  }
  const core_ledger::tenure& held = slices_[holder].held;
  const core_times times = held.times(now);
  account.idle += held.begun - cores_.idle_since(index);
  account.overhead += times.overhead;
  account.running += times.running;
  return account;
}

tick_sum server::running_time(class_id type, ticks now) const {
  const auto at = static_cast<std::size_t>(type);
  tick_sum sum = at < run_.size() ? run_[at] : 0;
  for (const slice& s : slices_)
    if (s.transaction && s.at != stage::late && s.holder && s.holder->type == type)
      sum += static_cast<tick_sum>(s.held.times(now).running) * s.cores.length;
  return sum;
}

std::vector<const job_extension*> server::holders() const {
  std::vector<const job_extension*> found;
  for (const slice& s : slices_)
    if (s.transaction && s.at != stage::late && s.holder) found.push_back(s.holder);
  return found;
}

}  // namespace muster
