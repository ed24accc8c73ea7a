#include "modules/server.h"

#include <cstring>

namespace muster {

using namespace sc_core;
using namespace tlm;

server::server(const sc_module_name& name, timekeeper& time, std::uint32_t count, std::uint32_t cores,
               const server_costs& costs)
    : sc_module(name), time_(time), costs_(costs), count_(count), cores_(count, cores) {
  dispatch.register_nb_transport_fw(this, &server::nb_transport_fw);
  dispatch.register_b_transport(this, &server::b_transport);
  dispatch.register_transport_dbg(this, &server::transport_dbg);
}

tlm_sync_enum server::nb_transport_fw(tlm_generic_payload& p, tlm_phase& phase, sc_time& delay) {
  if (phase == END_RESP) {
    p.release();
    responses_.answered([this](tlm_generic_payload& next) { return respond(next); });
    return TLM_COMPLETED;
  }
  if (phase != BEGIN_REQ) return TLM_ACCEPTED;  // an extended phase that we do not know
  if (p.get_address() % server_register::stride == server_register::doorbell && p.is_write()) {
    if (!begin(p, time_.effective(delay))) return TLM_COMPLETED;
    p.acquire();
    phase = END_REQ;
    return TLM_UPDATED;
  }
  access_register(p, true);
  return TLM_COMPLETED;
}

// A slice ends long after its dispatch: only the registers can be reached with a blocking call.
void server::b_transport(tlm_generic_payload& p, sc_time&) { access_register(p, true); }

unsigned server::transport_dbg(tlm_generic_payload& p) {
  access_register(p, false);
  return p.is_response_ok() ? p.get_data_length() : 0;
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
  std::uint32_t index;
  if (idle_slices_.empty()) {
    index = static_cast<std::uint32_t>(slices_.size());
    slices_.emplace_back();
  } else {
    index = idle_slices_.back();
    idle_slices_.pop_back();
  }
  slice& s = slices_[index];
  s.transaction = &p;
  s.server = at;
  s.cores = cores_.take(at, static_cast<std::uint32_t>(work.cores), index);
  s.job = work.job;
  s.duration = work.duration;
  const ticks overhead = costs_.before_work();
  s.held = {now, overhead == 0 ? now : core_ledger::tenure::never};
  s.timer = time_.arm(now + (overhead == 0 ? work.duration : overhead), work.job, *this, index);
  return true;
}

void server::expired(ticks now, std::uint32_t cookie) {
  slice& s = slices_[cookie];
  if (s.held.productive != core_ledger::tenure::never) {
    end(cookie, now);
    return;
  }
  s.held.productive = now;
  s.timer = time_.arm(now + s.duration, s.job, *this, cookie);
  tlm_phase phase = slice_productive;
  sc_time delay = time_.lead();
  dispatch->nb_transport_bw(*s.transaction, phase, delay);
}

void server::end(std::uint32_t index, ticks now) {
  slice& s = slices_[index];
  cores_.give_back(s.server, s.cores, s.held, now);
  tlm_generic_payload& p = *s.transaction;
  s.transaction = nullptr;
  idle_slices_.push_back(index);
  p.set_response_status(TLM_OK_RESPONSE);
  responses_.pass(p, [this](tlm_generic_payload& next) { return respond(next); });
}

bool server::respond(tlm_generic_payload& p) {
  tlm_phase phase = BEGIN_RESP;
  sc_time delay = time_.lead();
  const tlm_sync_enum answer = dispatch->nb_transport_bw(p, phase, delay);
  if (answer != TLM_COMPLETED && !(answer == TLM_UPDATED && phase == END_RESP)) return false;
  p.release();
  return true;
}

void server::access_register(tlm_generic_payload& p, bool may_write) {
  const std::uint64_t target = p.get_address() / server_register::stride;
  const std::uint64_t offset = p.get_address() % server_register::stride;
  const bool readable = offset == server_register::idle_cores || offset == server_register::running_cores;
  std::uint64_t value = 0;
  if (target >= count_ || (!readable && offset != server_register::stop && offset != server_register::doorbell)) {
    p.set_response_status(TLM_ADDRESS_ERROR_RESPONSE);
  } else if (p.get_data_length() != sizeof value || p.get_streaming_width() < sizeof value) {
    p.set_response_status(TLM_BURST_ERROR_RESPONSE);
  } else if (p.get_byte_enable_ptr()) {
    p.set_response_status(TLM_BYTE_ENABLE_ERROR_RESPONSE);
  } else if (readable && p.is_read()) {
    const auto at = static_cast<std::uint32_t>(target);
    value = offset == server_register::idle_cores ? cores_.idle_cores(at) : running_cores(at);
    std::memcpy(p.get_data_ptr(), &value, sizeof value);
    p.set_response_status(TLM_OK_RESPONSE);
  } else if (offset == server_register::stop && p.is_write() && may_write) {
    std::memcpy(&value, p.get_data_ptr(), sizeof value);
    p.set_response_status(stop(static_cast<std::uint32_t>(target), value) ? TLM_OK_RESPONSE
                                                                          : TLM_GENERIC_ERROR_RESPONSE);
  } else {
    p.set_response_status(TLM_COMMAND_ERROR_RESPONSE);
  }
}

bool server::stop(std::uint32_t target, std::uint64_t job) {
  for (std::uint32_t index = 0; index < slices_.size(); ++index) {
    const slice& s = slices_[index];
    if (!s.transaction || s.server != target || s.job != job) continue;
    time_.cancel(s.timer);
    end(index, time_.now());
    return true;
  }
  return false;
}

std::uint64_t server::running_cores(std::uint32_t target) const {
  std::uint64_t cores = 0;
  for (const slice& s : slices_)
    if (s.transaction && s.server == target && s.held.productive != core_ledger::tenure::never) cores += s.cores.length;
  return cores;
}

server::core_view server::core(std::uint32_t index) const {
  const std::uint32_t holder = cores_.holder(index);
  if (holder == core_ledger::nobody) return {core_state::idle, nullptr, cores_.idle_since(index)};
  const slice& s = slices_[holder];
  const auto* extension = s.transaction->get_extension<slice_extension>();
  const bool running = s.held.productive != core_ledger::tenure::never;
  return {running ? core_state::running : core_state::overhead, extension ? extension->holder : nullptr,
          running ? s.held.productive : s.held.begun};
}

core_times server::times(std::uint32_t index, ticks now) const {
  core_times account = cores_.settled(index);
  const std::uint32_t holder = cores_.holder(index);
  if (holder == core_ledger::nobody) {
    account.idle += now - cores_.idle_since(index);
    return account;
  }
  const core_ledger::tenure& held = slices_[holder].held;
  const ticks productive = std::min(held.productive, now);
  account.idle += held.begun - cores_.idle_since(index);
  account.overhead += productive - held.begun;
  account.running += now - productive;
  return account;
}

std::vector<const job_extension*> server::holders() const {
  std::vector<const job_extension*> found;
  for (const slice& s : slices_) {
    const auto* extension = s.transaction ? s.transaction->get_extension<slice_extension>() : nullptr;
    if (extension && extension->holder) found.push_back(extension->holder);
  }
  return found;
}

}  // namespace muster
