#include "muster/modules/server/server.h"

#include <cmath>

#include <fmt/format.h>

// The server towards those who send to it, and what can be seen of it from outside.

namespace muster {

using namespace sc_core;
using namespace tlm;

namespace {

[[noreturn]] void misuse(const server& bank, const std::string& what) {
  const std::string message = fmt::format("'{}': {}", bank.name(), what);
  SC_REPORT_ERROR("/muster/server", message.c_str());
  throw std::runtime_error(message);  // if somebody has disarmed SystemC's own exception
}

// The count, if such a bank can be.
std::uint32_t checked(const server& bank, std::uint32_t count, std::uint32_t cores, const server_costs& costs) {
  constexpr std::uint64_t most = std::uint64_t{1} << 31;  // numbers of cores and slices have 31 bits
  if (count == 0) misuse(bank, "a bank of no servers; expected at least 1");
  if (cores == 0) misuse(bank, "servers without cores; expected at least 1 core each");
  if (std::uint64_t{count} * cores >= most)
    misuse(bank, fmt::format("{} servers of {} cores each; expected less than {} cores in all", count, cores, most));
  if (!(costs.ticks_per_byte >= 0.0) || !std::isfinite(costs.ticks_per_byte))
    misuse(bank, fmt::format("a byte of state takes {} ticks; expected a number >= 0", costs.ticks_per_byte));
  return count;
}

// Their sums with a time of the clock cannot overflow.
server_costs within_clock(server_costs c) {
  for (ticks* cost : {&c.dispatch_latency, &c.set_up, &c.restore, &c.migration, &c.save, &c.wake})
    *cost = std::min(*cost, end_of_clock);
  return c;
}

}  // namespace

server::server(const sc_module_name& name, timekeeper& time, std::uint32_t count, std::uint32_t cores,
               const server_costs& costs, interruption_timer* interruptions, fault_clock* faults)
    : sc_module(name),
      time_(time),
      costs_(within_clock(costs)),
      interruptions_(interruptions),
      faults_(faults),
      count_(checked(*this, count, cores, costs)),
      cores_(count, cores, costs.sleep_after),
      health_(faults ? count : 0) {
  dispatch.register_nb_transport_fw(this, &server::nb_transport_fw);
  dispatch.register_b_transport(this, &server::b_transport);
  dispatch.register_transport_dbg(this, &server::transport_dbg);
}

tlm_sync_enum server::nb_transport_fw(tlm_generic_payload& p, tlm_phase& phase, sc_time& delay) {
  if (phase == END_RESP) {
    if (!responses_.awaits(p)) violated(rule::stray_end_resp, phase, p);
    foreign_.erase(p);
    p.release();
    responses_.answered(p, [this](tlm_generic_payload& next) { return respond(next); });
    return TLM_COMPLETED;
  }
  if (is_extended(phase)) return TLM_ACCEPTED;  // one that we do not know
  if (phase != BEGIN_REQ) violated(rule::not_from_initiator, phase, p);
  slice_extension* const extension = transaction_pool<slice_extension>::find(p);
  if (extension ? is_at(extension->place, p) : foreign_.find(p) != nullptr) violated(rule::used_again, phase, p);
  const ticks at = time_.effective(delay);
  if (at > time_.now()) {
    if (at >= end_of_clock) {
      p.set_response_status(TLM_GENERIC_ERROR_RESPONSE);
      return TLM_COMPLETED;
    }
    postpone(p, at);
  } else if (!receive(p, extension, p.get_address(), at)) {
    return TLM_COMPLETED;
  }
  if (!p.has_mm()) violated(rule::no_memory_manager, phase, p);
  if (!extension) foreign_.insert(p, true);
  p.acquire();
  phase = END_REQ;
  return TLM_UPDATED;
}

// @return whether the response comes later
bool server::receive(tlm_generic_payload& p, slice_extension* extension, std::uint64_t address, ticks now) {
  if (address % server_register::stride == server_register::doorbell && p.is_write())
    return begin(p, extension, address, now);
  access_register(p, address);
  return awaits_change(p, address);
}

void server::violated(const broken_rule& broken, const tlm_phase& phase, const tlm_generic_payload& p) const {
  muster::violated(broken, dispatch.name(), time_.now(), phase, p);
}

void server::postpone(tlm_generic_payload& p, ticks at) {
  const std::uint32_t index = new_slice();
  slice& s = slices_[index];
  s.transaction = &p;
  s.at = stage::late;
  s.address = p.get_address();
  if (auto* const extension = transaction_pool<slice_extension>::find(p)) extension->place = index;
  s.timer = time_.arm(at, time_.travel_rank(), *this, index);
}

// A request that was postponed is due; its END_REQ has been sent.
void server::receive_late(std::uint32_t index) {
  tlm_generic_payload& p = *slices_[index].transaction;
  slices_[index].transaction = nullptr;
  idle_slices_.push_back(index);
  auto* const extension = transaction_pool<slice_extension>::find(p);
  if (extension) extension->place = slice_extension::nowhere;
  if (!receive(p, extension, slices_[index].address, time_.now()))
    responses_.pass(p, [this](tlm_generic_payload& next) { return respond(next); });
}

// A slice ends long after its dispatch: only the registers can be reached with a blocking call.
void server::b_transport(tlm_generic_payload& p, sc_time& delay) {
  if (time_.effective(delay) >= end_of_clock) {
    p.set_response_status(TLM_GENERIC_ERROR_RESPONSE);
    return;
  }
  const std::uint64_t address = p.get_address();
  if (delay != SC_ZERO_TIME) {
    wait(delay);
    delay = SC_ZERO_TIME;
  }
  access_register(p, address);
}

unsigned server::transport_dbg(tlm_generic_payload& p) {
  const auto value = register_value(p.get_address());
  if (!p.is_read() || !value || !p.get_data_ptr()) return 0;
  const unsigned length = std::min<unsigned>(p.get_data_length(), sizeof *value);
  std::memcpy(p.get_data_ptr(), &*value, length);
  return length;
}

bool server::respond(tlm_generic_payload& p) {
  tlm_phase phase = BEGIN_RESP;
  sc_time delay = time_.lead();
  const tlm_sync_enum answer = dispatch->nb_transport_bw(p, phase, delay);
  if (!response_answered(answer, phase, responses_, p, [&](const broken_rule& r) { violated(r, phase, p); }))
    return false;
  foreign_.erase(p);
  p.release();
  return true;
}

void server::access_register(tlm_generic_payload& p, std::uint64_t address) {
  const std::uint64_t target = address / server_register::stride;
  const std::uint64_t offset = address % server_register::stride;
  const auto value = register_value(address);
  const bool stops = offset == server_register::stop || offset == server_register::release;
  std::uint64_t job = 0;
  if (target >= count_ || (!value && !stops && offset != server_register::doorbell)) {
    p.set_response_status(TLM_ADDRESS_ERROR_RESPONSE);
  } else if (!(value && p.is_read()) && !(stops && p.is_write())) {
    p.set_response_status(TLM_COMMAND_ERROR_RESPONSE);
  } else if (p.get_byte_enable_ptr()) {
    p.set_response_status(TLM_BYTE_ENABLE_ERROR_RESPONSE);
  } else if (p.get_data_length() != sizeof job || p.get_streaming_width() < sizeof job) {
    p.set_response_status(TLM_BURST_ERROR_RESPONSE);
  } else if (!p.get_data_ptr()) {
    p.set_response_status(TLM_GENERIC_ERROR_RESPONSE);
  } else if (stops) {
    std::memcpy(&job, p.get_data_ptr(), sizeof job);
    const bool found = stop(static_cast<std::uint32_t>(target), job, p, offset == server_register::stop);
    p.set_response_status(found ? TLM_OK_RESPONSE : TLM_GENERIC_ERROR_RESPONSE);
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
    case server_register::until_failed:
    case server_register::until_repaired:
      return faults_ ? std::optional(health_[at].failures) : std::nullopt;
    default:
      return std::nullopt;
  }
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
  if (holder & of_health) return {core_state::down, nullptr, health_[holder & ~of_health].since};
  const slice& s = slices_[holder];
  const ticks since[] = {s.held.begun, s.held.begun, s.held.productive, s.held.ceased};
  return {s.at == stage::running ? core_state::running : core_state::overhead, s.holder(),
          since[static_cast<std::size_t>(s.at)]};
}

core_times server::times(std::uint32_t index, ticks now) const {
  const std::uint32_t holder = cores_.holder(index);
  if (holder == core_ledger::nobody) return cores_.idle_until(index, now);
  if (holder & of_health) return cores_.idle_until(index, health_[holder & ~of_health].since);
  const core_ledger::tenure& held = slices_[holder].held;
  core_times account = cores_.idle_until(index, held.begun);
  const core_times times = held.times(now);
  account.overhead += times.overhead;
  account.running += times.running;
  return account;
}

tick_sum server::running_time(class_id type, ticks now) const {
  const auto at = static_cast<std::size_t>(type);
  tick_sum sum = at < run_.size() ? run_[at] : 0;
  for (const slice& s : slices_)
    if (s.transaction && s.at != stage::late && s.holder() && s.holder()->type == type)
      sum += static_cast<tick_sum>(s.held.times(now).running) * s.cores.length;
  return sum;
}

slice_view server::view(const slice& s) const {
  const slice_descriptor work = s.descriptor();
  return {bank_, s.server, work.job, s.holder(), work.start, s.held, s.why, &cores_, s.cores};
}

void server::show(void (server_observer::*what)(ticks, const slice_view&), std::uint32_t index, ticks now) {
  (observer_->*what)(now, view(slices_[index]));
}

std::vector<slice_view> server::slices() const {
  std::vector<slice_view> found;
  for (const slice& s : slices_)
    if (s.transaction && s.at != stage::late) found.push_back(view(s));
  return found;
}

std::vector<const job_extension*> server::holders() const {
  std::vector<const job_extension*> found;
  for (const slice& s : slices_)
    if (s.transaction && s.at != stage::late && s.holder()) found.push_back(s.holder());
  return found;
}

}  // namespace muster
