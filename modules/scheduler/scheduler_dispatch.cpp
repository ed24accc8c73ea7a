#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "muster/modules/scheduler/scheduler.h"

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
  if (jobs_ != progress::rigid)
    fault(fmt::format("the policy started job {} as a rigid one, but its jobs are {}", waiting.id,
                      jobs_ == progress::pooled ? "pooled" : "slotted"));
  if (waiting.where == job::place::in_service)
    fault(fmt::format("the policy started job {} a second time", waiting.id));
  if (waiting.where != job::place::waiting) fault(fmt::format("the policy started job {}, which has left", waiting.id));
  if (!state_.fits(waiting))
    fault(fmt::format("the policy started job {} of class '{}', of need {}, with {} cores free", waiting.id,
                      state_.name(waiting.type), state_.need(waiting.type), state_.free_cores(waiting.type)));
  job_extension& j = extension_of(waiting);
  __builtin_prefetch(j.transaction);
  const double capacity = place(j);
  const ticks size = j.descriptor.size - j.kept;
  const ticks duration = capacity == 1.0 ? size : slowed(size, capacity);
  state_.enter_service(j);
  if (j.failures == 0) begin_service(j);
  j.open_slices = static_cast<unsigned>(placements_.size());
  for (const placement& at : placements_) {
    tlm_generic_payload& p = dispatch_of(j, at, duration);
    if (servers_fail_) link(j, slices_.extension(p));
    send(p);
  }
}

// The transaction of a slice, ready to be sent.
tlm_generic_payload& scheduler::dispatch_of(job_extension& j, const placement& at, ticks duration) {
  tlm_generic_payload& p = slices_.take();
  slice_extension& slice = slices_.extension(p);
  slice.descriptor = {j.id, at.cores, duration};
  slice.holder = &j;
  slice.group = at.group;
  slice.server = at.server;
  slice.asks = slice_extension::request::slice;
  write_to_server(p, at.group, at.server, server_register::doorbell, sizeof slice.descriptor);
  ++dispatched_;
  return p;
}

// The data of every write begin with the descriptor; its first word is the job's number.
void scheduler::write_to_server(tlm_generic_payload& p, group_id group, std::uint32_t server, std::uint64_t where,
                                unsigned length) {
  p.set_command(TLM_WRITE_COMMAND);
  p.set_address((std::uint64_t{locations_[group].first_in_bank} + server) * server_register::stride + where);
  p.set_data_ptr(reinterpret_cast<unsigned char*>(&slices_.extension(p).descriptor));
  p.set_data_length(length);
  p.set_streaming_width(length);
  p.set_byte_enable_ptr(nullptr);
  p.set_dmi_allowed(false);
  p.set_response_status(TLM_INCOMPLETE_RESPONSE);
}

void scheduler::send(tlm_generic_payload& p) {
  if (deciding_)
    deciding_->orders.push_back(&p);
  else
    send_now(p);
}

void scheduler::send_now(tlm_generic_payload& p) {
  way_of(p).gate.pass(p, [this](tlm_generic_payload& next) { return request(next); });
}

// Books the job's cores and leaves where they are in placements_. Returns the smallest capacity among them.
double scheduler::place(const job& waiting) {
  placements_.clear();
  double capacity = std::numeric_limits<double>::infinity();
  unsigned missing = state_.need(waiting.type);
  for (const group_id group : state_.type(waiting.type).groups) {
    if (state_.free_in(group) == 0) continue;
    capacity = std::min(capacity, locations_[group].capacity);
    while (missing > 0 && state_.free_in(group) > 0) {
      const std::uint32_t server = free_server(group);
      const std::uint32_t cores = std::min(missing, idle_cores(group, server));
      placements_.push_back({group, server, cores});
      take_cores(placements_.back());
      missing -= cores;
    }
    if (missing == 0) break;
  }
  return capacity;
}

// Of a single server the group's free cores tell it all.

std::uint32_t scheduler::idle_cores(group_id group, std::uint32_t server) const {
  return locations_[group].servers == 1 ? state_.free_in(group) : free_servers_[group].cores(server);
}

std::uint32_t scheduler::free_server(group_id group) const {
  return locations_[group].servers == 1 ? 0 : free_servers_[group].first();
}

void scheduler::take_cores(const placement& at) {
  if (locations_[at.group].servers > 1) free_servers_[at.group].take(at.server, at.cores);
  state_.take(at.group, at.cores);
}

void scheduler::give_back_cores(const placement& at) {
  if (locations_[at.group].servers > 1) free_servers_[at.group].give_back(at.server, at.cores);
  state_.give_back(at.group, at.cores);
}

bool scheduler::request(tlm_generic_payload& p) {
  way_to_servers& way = way_of(p);
  tlm_fw_transport_if<>& servers = *way.transport;
  tlm_phase phase = BEGIN_REQ;
  sc_time delay = time_.lead();
  ++dispatching_;
  const tlm_sync_enum answer = servers.nb_transport_fw(p, phase, delay);
  --dispatching_;
  const auto refuse = [&](const broken_rule& broken) {
    violated(broken, dispatches, static_cast<int>(&way - to_servers_.data()), phase, p);
  };
  const request_answer given = answer_to_request(answer, phase, way.gate, p, refuse);
  if (given != request_answer::responded) return given == request_answer::accepted;
  if (!slices_.in_progress(p)) refuse(rule::second_begin_resp);
  slices_.end(p);
  const slice_extension::request asked = slices_.extension(p).asks;
  const bool stop = asked == slice_extension::request::stop;
  if (asked == slice_extension::request::slice) {
    check_slice(p, answer == TLM_COMPLETED ? "refused" : "could not finish");
    defer(time_.effective(delay), &scheduler::slice_ended, p);  // the policy may be at work
  } else if (!stop) {
    --watches_;
    defer(time_.effective(delay), &scheduler::health_changed, p);
  }
  if (answer == TLM_UPDATED) {
    phase = END_RESP;
    ++dispatching_;
    servers.nb_transport_fw(p, phase, delay);
    --dispatching_;
  }
  if (stop) p.release();  // a slice's goes when it has been dealt with
  return true;
}

tlm_sync_enum scheduler::server_answers(int from, tlm_generic_payload& p, tlm_phase& phase, sc_time& delay) {
  using request = slice_extension::request;
  way_to_servers& way = to_servers_[static_cast<std::size_t>(from)];
  if (phase != BEGIN_RESP) return server_goes_on(from, p, phase, delay);
  if (!sent_over(way, p)) violated(rule::answer_not_in_progress, dispatches, from, phase, p);
  // A response implies the END_REQ that a server has left out.
  way.gate.answered(p, [this](tlm_generic_payload& next) { return this->request(next); });
  slices_.end(p);
  const request asked = slices_.extension(p).asks;
  if (asked == request::stop) {
    p.release();
    return TLM_COMPLETED;
  }
  const bool slice = asked == request::slice;
  if (slice)
    check_slice(p, "could not finish");
  else
    --watches_;
  // The server may rely on the scheduler's reference until it has the answer, and meanwhile the policy may dispatch.
  p.acquire();
  react(p, time_.effective(delay), slice ? &scheduler::slice_ended : &scheduler::health_changed);
  p.release();
  return TLM_COMPLETED;
}

// By other phases than the response.
tlm_sync_enum scheduler::server_goes_on(int from, tlm_generic_payload& p, const tlm_phase& phase,
                                        const sc_time& delay) {
  way_to_servers& way = to_servers_[static_cast<std::size_t>(from)];
  const auto refuse = [&](const broken_rule& broken) { violated(broken, dispatches, from, phase, p); };
  if (phase == END_REQ) {
    if (!sent_over(way, p)) refuse(rule::answer_not_in_progress);
    if (!way.gate.awaits(p)) refuse(rule::second_end_req);
    way.gate.answered(p, [this](tlm_generic_payload& next) { return request(next); });
    return TLM_ACCEPTED;
  }
  if (!is_extended(phase)) refuse(rule::not_from_target);
  if (phase != slice_saving || jobs_ != progress::pooled) return TLM_ACCEPTED;  // slice_productive, or unknown
  if (!sent_over(way, p)) refuse(rule::extended_not_in_progress);
  if (slices_.extension(p).asks != slice_extension::request::slice) return TLM_ACCEPTED;
  p.acquire();
  react(p, time_.effective(delay), &scheduler::saving);
  return TLM_ACCEPTED;
}

// Whether a transaction is the scheduler's and in progress on this way. Its address may have been rewritten.
bool scheduler::sent_over(const way_to_servers& way, tlm_generic_payload& p) {
  return slices_.in_progress(p) && &way_of(p) == &way;
}

// Now, or when the servers that are being stopped have been, or when it is time.
void scheduler::react(tlm_generic_payload& p, ticks at, void (scheduler::*action)(tlm_generic_payload&)) {
  if (deciding_ && at <= time_.now())
    consider({action, &p});
  else if (at > time_.now() || (dispatching_ > 0 && !stopping_))
    defer(at, action, p);
  else if (stopping_)
    put_off_.push_back({action, &p});
  else
    (this->*action)(p);
}

void scheduler::check_slice(const tlm_generic_payload& p, const char* outcome) const {
  if (!p.is_response_error()) return;
  const auto* slice = p.get_extension<slice_extension>();
  if (jobs_ == progress::rigid && beyond_clock(time_.now(), slice->descriptor.duration))
    time_.leave_clock(fmt::format("the end of job {}", slice->descriptor.job));
  fault(fmt::format("server '{}' {} a slice of job {}: {}", groups_[slice->group].name, outcome, slice->descriptor.job,
                    p.get_response_string()));
}

void scheduler::slice_ended(tlm_generic_payload& p) {
  const slice_extension& slice = slices_.extension(p);
  const auto cores = static_cast<std::uint32_t>(slice.descriptor.cores);
  if (std::uint32_t* withheld = cores_withheld(slice.group, slice.server))
    *withheld += cores;
  else
    give_back_cores({slice.group, slice.server, cores});
  job_extension& j = *slice.holder;
  switch (jobs_) {
    case progress::rigid:
      if (servers_fail_) {
        gang_left(p);
        break;
      }
      p.release();
      if (--j.open_slices == 0) complete(j);
      break;
    case progress::pooled:
      slice_left(p);
      break;
    case progress::slotted:
      core_left(p);
      break;
  }
}

// What foreign modules announce for later.

std::uint32_t scheduler::defer(ticks at, std::uint64_t rank, void (scheduler::*action)(tlm_generic_payload&),
                               tlm_generic_payload& p) {
  if (at >= end_of_clock) time_.leave_clock("the effect of transaction " + transaction_name{p}.text());
  std::uint32_t index;
  if (idle_deferred_.empty()) {
    index = static_cast<std::uint32_t>(deferred_.size());
    deferred_.emplace_back();
  } else {
    index = idle_deferred_.back();
    idle_deferred_.pop_back();
  }
  deferred_[index] = {action, &p, time_.arm(at, rank, *this, index)};
  return index;
}

void scheduler::call_off(std::uint32_t index) {
  time_.cancel(deferred_[index].timer);
  idle_deferred_.push_back(index);
}

void scheduler::expired(ticks now, std::uint32_t cookie) {
  if (cookie == slot_cookie || cookie == turn_cookie) {
    if (deciding_)
      consider({nullptr, nullptr, cookie});
    else
      slot_moves_on(now, cookie);
    return;
  }
  if (cookie == decision_cookie) {
    carry_out();
    attend();
    return;
  }
  const deferred due = deferred_[cookie];
  idle_deferred_.push_back(cookie);
  // A job arrives before anybody attends to it, and one that comes too late leaves unattended.
  if (!deciding_ || due.action == &scheduler::arrive_late || due.action == &scheduler::leave_unserved) {
    (this->*due.action)(*due.transaction);
    return;
  }
  if (due.action == &scheduler::deadline_passed)
    due.transaction->get_extension<job_extension>()->slots->last_slot = 0;  // nothing is left to call off
  consider({due.action, due.transaction});
}

}  // namespace muster
