#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "modules/scheduler.h"

// The scheduler towards its servers: where a job's cores are, and what becomes of its slices.

namespace muster {

using namespace sc_core;
using namespace tlm;

namespace {

ticks slowed(ticks size, double capacity) {
  const double exact = std::min(static_cast<double>(size) / capacity, static_cast<double>(end_of_clock));
  return std::max<ticks>(1, static_cast<ticks>(std::llround(exact)));
}

}  // namespace

void scheduler::start(const job& waiting) {
  if (waiting.where == job::place::in_service)
    fault(fmt::format("the policy started job {} a second time", waiting.id));
  if (waiting.where != job::place::waiting) fault(fmt::format("the policy started job {}, which has left", waiting.id));
  if (!state_.fits(waiting))
    fault(fmt::format("the policy started job {} of class '{}', of need {}, with {} cores free", waiting.id,
                      state_.name(waiting.type), state_.need(waiting.type), state_.free_cores(waiting.type)));
  job_extension& j = extension_of(waiting);
  __builtin_prefetch(j.transaction);
  const double capacity = place(j);
  const ticks size = j.descriptor.size;
  const ticks duration = capacity == 1.0 ? size : slowed(size, capacity);
  state_.enter_service(j);
  j.started = time_.now();
  j.open_slices = static_cast<unsigned>(placements_.size());
  for (const placement& at : placements_) {
    tlm_generic_payload& p = slices_.take();
    slice_extension& slice = slices_.extension(p);
    slice.descriptor = {j.id, at.cores, duration};
    slice.holder = &j;
    slice.group = at.group;
    slice.server = at.server;
    p.set_command(TLM_WRITE_COMMAND);
    p.set_address(at.server * server_register::stride + server_register::doorbell);
    p.set_data_ptr(reinterpret_cast<unsigned char*>(&slice.descriptor));
    p.set_data_length(sizeof slice.descriptor);
    p.set_streaming_width(sizeof slice.descriptor);
    p.set_byte_enable_ptr(nullptr);
    p.set_dmi_allowed(false);
    p.set_response_status(TLM_INCOMPLETE_RESPONSE);
    ++dispatched_;
    to_servers_[at.group].gate.pass(p, [this](tlm_generic_payload& next) { return request(next); });
  }
}

// Books the job's cores and leaves where they are in placements_. Returns the smallest capacity among them.
double scheduler::place(const job& waiting) {
  placements_.clear();
  double capacity = std::numeric_limits<double>::infinity();
  unsigned missing = state_.need(waiting.type);
  for (const group_id group : state_.type(waiting.type).groups) {
    if (state_.free_in(group) == 0) continue;
    free_servers& servers = free_servers_[group];
    capacity = std::min(capacity, groups_[group].capacity);
    while (missing > 0 && state_.free_in(group) > 0) {
      const std::uint32_t server = servers.first();
      const std::uint32_t cores = std::min(missing, servers.cores(server));
      servers.take(server, cores);
      state_.take(group, cores);
      placements_.push_back({group, server, cores});
      missing -= cores;
    }
    if (missing == 0) break;
  }
  return capacity;
}

bool scheduler::request(tlm_generic_payload& p) {
  const group_id group = slices_.extension(p).group;
  tlm_phase phase = BEGIN_REQ;
  sc_time delay = time_.lead();
  ++dispatching_;
  const tlm_sync_enum answer = to_servers_[group].transport->nb_transport_fw(p, phase, delay);
  --dispatching_;
  if (answer == TLM_ACCEPTED) return false;
  if (answer == TLM_UPDATED) {
    if (phase == END_REQ) return true;
    if (phase != BEGIN_RESP) return false;  // an extended phase that we do not know
    check_slice(p);
    defer(time_.effective(delay), &scheduler::slice_ended, p);
    phase = END_RESP;
    ++dispatching_;
    to_servers_[group].transport->nb_transport_fw(p, phase, delay);
    --dispatching_;
    return true;
  }
  if (p.is_response_error())
    fault(fmt::format("server '{}' refused a slice of job {}: {}", groups_[group].name,
                      slices_.extension(p).descriptor.job, p.get_response_string()));
  defer(time_.effective(delay), &scheduler::slice_ended, p);
  return true;
}

tlm_sync_enum scheduler::server_answers(int from, tlm_generic_payload& p, tlm_phase& phase, sc_time& delay) {
  // A response implies the END_REQ that a server has left out.
  if (phase == END_REQ || phase == BEGIN_RESP)
    to_servers_[static_cast<group_id>(from)].gate.answered(p,
                                                           [this](tlm_generic_payload& next) { return request(next); });
  if (phase != BEGIN_RESP) return TLM_ACCEPTED;  // slice_productive, or an extended phase that we do not know
  check_slice(p);
  const ticks at = time_.effective(delay);
  if (at > time_.now() || dispatching_ > 0)
    defer(at, &scheduler::slice_ended, p);
  else
    slice_ended(p);
  return TLM_COMPLETED;
}

void scheduler::check_slice(const tlm_generic_payload& p) const {
  if (!p.is_response_error()) return;
  const auto* slice = p.get_extension<slice_extension>();
  fault(fmt::format("server '{}' could not finish a slice of job {}: {}", groups_[slice->group].name,
                    slice->descriptor.job, p.get_response_string()));
}

void scheduler::slice_ended(tlm_generic_payload& p) {
  slice_extension* slice = &slices_.extension(p);
  const auto cores = static_cast<unsigned>(slice->descriptor.cores);
  free_servers_[slice->group].give_back(slice->server, cores);
  state_.give_back(slice->group, cores);
  job_extension& j = *slice->holder;
  p.release();
  if (--j.open_slices == 0) complete(j);
}

// What foreign modules announce for later.

void scheduler::defer(ticks at, void (scheduler::*action)(tlm_generic_payload&), tlm_generic_payload& p) {
  std::uint32_t index;
  if (idle_deferred_.empty()) {
    index = static_cast<std::uint32_t>(deferred_.size());
    deferred_.emplace_back();
  } else {
    index = idle_deferred_.back();
    idle_deferred_.pop_back();
  }
  deferred_[index] = {action, &p};
  time_.arm(at, time_.travel_rank(), *this, index);
}

void scheduler::expired(ticks, std::uint32_t cookie) {
  const deferred due = deferred_[cookie];
  idle_deferred_.push_back(cookie);
  (this->*due.action)(*due.transaction);
}

}  // namespace muster
