#include "muster/modules/server/server.h"

#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

#include "muster/modules/kernel/register_access.h"
#include "muster/modules/kernel/transaction_pool.h"

// The server's socket, and what observers read of its cores.

namespace muster {

using namespace sc_core;
using namespace tlm;

namespace {

// Checks settings. Invalid ones are reported as a SystemC error.
const server_settings& checked(const server& bank, const server_settings& given) {
  try {
    check(given);
    return given;
  } catch (const std::invalid_argument& e) {
    const std::string message = fmt::format("'{}': {}", bank.name(), e.what());
    SC_REPORT_ERROR("/muster/server", message.c_str());
    throw std::runtime_error(message);  // if SystemC's own exception has been disabled
  }
}

}  // namespace

server::server(const sc_module_name& name, timekeeper& time, const server_settings& given)
    : sc_module(name),
      time_(time),
      settings_(checked(*this, given)),
      slices_(time, settings_, *this),
      health_(given.faults ? std::make_unique<server_health>(time, given.count, *given.faults, slices_,
                                                             static_cast<slice_observer&>(*this))
                           : nullptr),
      registers_(given.count, slices_, health_.get()),
      hop_(*this) {
  dispatch.register_nb_transport_fw(this, &server::nb_transport_fw);
  dispatch.register_b_transport(this, &server::b_transport);
  dispatch.register_transport_dbg(this, &server::transport_dbg);
  dispatch.register_get_direct_mem_ptr(this, &server::get_direct_mem_ptr);
}

void server::start_of_simulation() {
  if (health_) health_->start();
}

tlm_sync_enum server::hop::begins(payload& p, tlm_phase& phase, const sc_time& delay) {
  slice_extension* const extension = transaction_pool<slice_extension>::find(p);
  if (in_progress(extension, p)) violated(rule::used_again, phase, p);
  const ticks at = server_.time_.effective(delay);
  if (at > server_.time_.now()) {
    if (at >= end_of_clock) {
      p.set_response_status(TLM_GENERIC_ERROR_RESPONSE);
      return TLM_COMPLETED;
    }
    postpone(p, at);
  } else if (!server_.receive(p, extension, p.get_address(), at)) {
    return TLM_COMPLETED;
  }
  if (!p.has_mm()) violated(rule::no_memory_manager, phase, p);
  if (!extension) foreign_.insert(p, true);
  p.acquire();
  phase = END_REQ;
  return TLM_UPDATED;
}

void server::hop::violated(const broken_rule& broken, const tlm_phase& phase, const payload& p) const {
  muster::violated(broken, server_.dispatch.name(), server_.time_.now(), phase, p);
}

bool server::hop::in_progress(const slice_extension* extension, const payload& p) {
  if (!extension) return foreign_.find(p) != nullptr;
  const std::uint32_t place = extension->place;
  const bool late = place != slice_extension::nowhere && late_.has(place) && late_[place].transaction == &p;
  return late || server_.slices_.held().holds(place, p);
}

void server::hop::postpone(payload& p, ticks at) {
  const std::uint32_t index = late_.take({&p, p.get_address()});
  if (auto* const extension = transaction_pool<slice_extension>::find(p)) extension->place = index;
  server_.time_.arm(at, server_.time_.travel_rank(), *this, index);
}

void server::hop::expired(ticks now, std::uint32_t index) {
  const late_request due = late_[index];
  late_[index].transaction = nullptr;
  late_.give_back(index);
  payload& p = *due.transaction;
  auto* const extension = transaction_pool<slice_extension>::find(p);
  if (extension) extension->place = slice_extension::nowhere;
  if (!server_.receive(p, extension, due.address, now)) send_response(p);
}

// Receives a request. @return whether the response comes later
bool server::receive(tlm_generic_payload& p, slice_extension* extension, std::uint64_t address, ticks now) {
  if (address % server_register::stride == server_register::doorbell && p.is_write())
    return begin(p, extension, address, now);
  registers_.access(p, address);
  return registers_.awaits_change(p, address);
}

bool server::is_dispatch_length(std::size_t bytes) const {
  const resource_ledger* const resources = slices_.resources();
  return bytes == sizeof(slice_descriptor) ||
         (resources && bytes == sizeof(slice_descriptor) + resources->places() * sizeof(std::uint64_t));
}

bool server::begin(tlm_generic_payload& p, slice_extension* extension, std::uint64_t address, ticks now) {
  const std::uint64_t target = address / server_register::stride;
  slice_descriptor work;
  const tlm_response_status wrong =
      target >= settings_.count ? TLM_ADDRESS_ERROR_RESPONSE
      : !is_dispatch_length(p.get_data_length()) || p.get_streaming_width() < p.get_data_length()
          ? TLM_BURST_ERROR_RESPONSE
      : p.get_byte_enable_ptr() ? TLM_BYTE_ENABLE_ERROR_RESPONSE
      : !p.get_data_ptr()       ? TLM_GENERIC_ERROR_RESPONSE
                                : TLM_OK_RESPONSE;
  if (wrong != TLM_OK_RESPONSE) {
    p.set_response_status(wrong);
    return false;
  }
  std::memcpy(&work, p.get_data_ptr(), sizeof work);
  const bool holds_more = p.get_data_length() > sizeof work;
  if (holds_more && !is_down(static_cast<std::uint32_t>(target)) &&
      !slices_.resources()->fits(static_cast<std::uint32_t>(target),
                                 reinterpret_cast<const std::uint64_t*>(p.get_data_ptr() + sizeof work))) {
    p.set_response_status(TLM_GENERIC_ERROR_RESPONSE);
    return false;
  }
  return begin(p, extension, static_cast<std::uint32_t>(target), work, now);
}

// Begins a slice on a server that exists.
bool server::begin(tlm_generic_payload& p, slice_extension* extension, std::uint32_t at, const slice_descriptor& work,
                   ticks now) {
  if (extension && is_down(at)) {
    extension->ended = slice_extension::end::failed;
    extension->worked = false;
    p.set_response_status(TLM_OK_RESPONSE);
    return false;
  }
  if (!is_down(at) && slices_.begin(p, extension, at, work, now)) return true;
  p.set_response_status(TLM_GENERIC_ERROR_RESPONSE);
  return false;
}

// Answers a request for a direct interface only: there is no memory to point at.
bool server::get_direct_mem_ptr(tlm_generic_payload& p, tlm_dmi&) {
  if (auto* const request = p.get_extension<direct_request<direct_servers>>())
    request->answer(*this, time_, dispatch.get_base_interface());
  return false;
}

bool server::dispatch_directly(tlm_generic_payload& slice, std::uint32_t at) {
  slice_extension& extension = transaction_pool<slice_extension>::extension(slice);
  return begin(slice, &extension, at, extension.descriptor, time_.now());
}

void server::stop_directly(const slice_extension& slice, std::uint32_t at, bool keep_state) {
  slices_.stop(at, slice.descriptor.job, &slice, keep_state);
}

void server::slice_moves_on(tlm_generic_payload& p, const tlm_phase& to) {
  tlm_phase phase = to;
  sc_time delay = time_.lead();
  dispatch->nb_transport_bw(p, phase, delay);
}

void server::slice_ended(tlm_generic_payload& p, bool told) {
  p.set_response_status(told ? TLM_OK_RESPONSE : TLM_GENERIC_ERROR_RESPONSE);
  hop_.respond(p);
}

// Reaches the registers only: a slice cannot be dispatched with a blocking call, as it ends long after its dispatch.
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
  registers_.access(p, address);
}

unsigned server::transport_dbg(tlm_generic_payload& p) {
  return read_register_for_debug(p, registers_.value(p.get_address()));
}

server::core_view server::core(std::uint32_t index) const {
  const std::uint32_t holder = slices_.cores().holder(index);
  if (holder == core_ledger::no_holder) return {core_state::idle, nullptr, slices_.cores().idle_since(index)};
  if (holder & server_health::server_down)
    return {core_state::down, nullptr, health_->down_since(holder & ~server_health::server_down)};
  const held_slice& slice = slices_.held()[holder];
  const bool runs = slice.at == slice_stage::running;
  return {runs ? core_state::running : core_state::overhead, slice.holder(), slices_.held().at_stage_since(holder)};
}

core_times server::times(std::uint32_t index, ticks now) const {
  const core_ledger& cores = slices_.cores();
  const std::uint32_t holder = cores.holder(index);
  if (holder == core_ledger::no_holder) return cores.idle_until(index, now);
  if (holder & server_health::server_down)
    return cores.idle_until(index, health_->down_since(holder & ~server_health::server_down));
  const core_ledger::tenure held = slices_.held()[holder].held;
  core_times account = cores.idle_until(index, held.begun);
  const core_times times = held.times(now);
  account.overhead += times.overhead;
  account.running += times.running;
  return account;
}

held_integral server::held(std::size_t resource, ticks now) const {
  const resource_ledger& resources = *slices_.resources();
  const std::size_t first = resources.layout().first(resource) - 1, count = resources.layout().count(resource);
  held_integral sum;
  for (std::uint32_t n = 0; n < settings_.count; ++n)
    for (std::size_t place = first; place < first + count; ++place) {
      sum.overhead += resources.held(n, place).overhead;
      sum.running += resources.held(n, place).running;
    }
  slices_.held().for_each([&](const held_slice& s) {
    const std::uint64_t* const held = s.held_resources();
    if (!held) return;
    const core_times times = s.held.times(now);
    sum.add(std::accumulate(held + first, held + first + count, std::uint64_t{0}), {times.overhead, times.running});
  });
  return sum;
}

std::vector<const job_extension*> server::holders() const {
  std::vector<const job_extension*> found;
  for (const slice_view& slice : slices())
    if (slice.holder) found.push_back(slice.holder);
  return found;
}

}  // namespace muster
