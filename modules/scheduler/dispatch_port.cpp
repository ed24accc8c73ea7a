#include "muster/modules/scheduler/dispatch_port.h"

#include <fmt/format.h>

#include "muster/modules/scheduler/scheduler_error.h"

namespace muster {

using namespace sc_core;
using namespace tlm;

dispatch_port::dispatch_port(const sc_object& sockets, timekeeper& time, deferred_events& deferred,
                             const table<group_id, server_group>& groups,
                             const table<group_id, group_location>& locations)
    : sockets_(sockets), time_(time), deferred_(deferred), groups_(groups), locations_(locations) {}

void dispatch_port::deliver_to(event_sink& to, bool waits) {
  to_ = &to;
  events_wait_ = waits;
}

void dispatch_port::go_direct() {
  for (hop& h : hops_) h.go_direct();
  for (const group_location& at : locations_) routes_.push_back({&hops_[at.bank], at.first_in_bank});
}

void dispatch_port::hop::go_direct() {
  direct_ = ask_for_direct<direct_servers>(*transport_, port_->time_, *transport_);
  if (direct_) direct_->tell_directly(*this);
}

void dispatch_port::send(tlm_generic_payload& order) {
  if (slice(order).asks == slice_extension::request::slice)
    send_slice(order);
  else
    hop_of(order).send(order);
}

void dispatch_port::send_slice(tlm_generic_payload& p) {
  const slice_extension& s = slice(p);
  const route& at = routes_[s.group];
  direct_servers* const bank = at.over->direct();
  if (!bank) {
    send_over(*at.over, p);
    return;
  }
  ++calls_;
  const bool begun = bank->dispatch_directly(p, at.first_in_bank + s.server);
  --calls_;
  if (!begun) refused_directly(p);
}

void dispatch_port::send_over(hop& h, tlm_generic_payload& p) {
  const slice_extension& s = slice(p);
  slices_.begin(p);
  p.set_address(address(s.group, s.server, server_register::doorbell));
  h.send(p);
}

void dispatch_port::refused_directly(tlm_generic_payload& p) {
  check_response(p, "refused");
  deferred_.defer(time_.now(), *to_, scheduler_event::slice_ends, p);  // the policy may be at work
}

void dispatch_port::stop(slice_extension& s, std::uint64_t how) {
  const route& at = routes_[s.group];
  direct_servers* const bank = at.over->direct();
  if (!bank) {
    send(stop_of(s, how));
    return;
  }
  s.stop_sent = true;
  ++calls_;
  bank->stop_directly(s, at.first_in_bank + s.server, how == server_register::stop);
  --calls_;
}

void dispatch_port::hop::slice_ended(payload& p, bool) {
  if (ending_) {
    wait_to_end(p);
    return;
  }
  ending_ = true;
  port_->ends(p);
  if (!end_.empty()) end_waiting();
  ending_ = false;
}

void dispatch_port::hop::end_waiting() {
  for (std::size_t ended = 0; ended < end_.size();) port_->ends(*end_[ended++]);
  end_.clear();
}

void dispatch_port::ends(tlm_generic_payload& p) {
  if (undisturbed())
    to_->slice_ends(p);
  else
    tell_afterwards(scheduler_event::slice_ends, p);
}

void dispatch_port::saves(tlm_generic_payload& p, ticks at) {
  if (!reports_saving_) return;
  if (!hop_of(p).direct()) p.acquire();
  tell(at, scheduler_event::slice_saves, p);
}

tlm_generic_payload& dispatch_port::slice_of(job_extension& j, const placement& at, ticks duration) {
  tlm_generic_payload& p = slices_.reserve();
  slice_extension& s = slice(p);
  s.descriptor = {j.id, at.cores, duration};
  s.holder = &j;
  s.group = at.group;
  s.server = at.server;
  ++slices_sent_;
  return p;
}

tlm_generic_payload& dispatch_port::stop_of(slice_extension& stopped, std::uint64_t how) {
  tlm_generic_payload& p = order_to(stopped.group, stopped.server, how, TLM_WRITE_COMMAND);
  slice_extension& stop = slice(p);
  stop.descriptor.job = stopped.descriptor.job;
  stop.stops = &stopped;
  stop.asks = slice_extension::request::stop;
  stopped.stop_sent = true;
  return p;
}

// Its response comes when the server fails, or is in order again.
void dispatch_port::watch(group_id group, std::uint32_t server, slice_extension::request change) {
  const bool failure = change == slice_extension::request::failure;
  tlm_generic_payload& p = order_to(
      group, server, failure ? server_register::until_failed : server_register::until_repaired, TLM_READ_COMMAND);
  slice(p).asks = change;
  ++watches_;
  send(p);
}

// Its data are the first word of the descriptor, a stop's number of the job.
tlm_generic_payload& dispatch_port::order_to(group_id group, std::uint32_t server, std::uint64_t where,
                                             tlm_command command) {
  tlm_generic_payload& p = orders_.take();
  slice_extension& s = slice(p);
  s.group = group;
  s.server = server;
  p.set_command(command);
  p.set_address(address(group, server, where));
  p.set_data_length(sizeof s.descriptor.job);
  p.set_streaming_width(sizeof s.descriptor.job);
  return p;
}

void dispatch_port::responds_at_once(tlm_generic_payload& p, tlm_sync_enum answer, const sc_time& delay) {
  using request = slice_extension::request;
  transaction_pool<slice_extension>::end(p);
  switch (slice(p).asks) {
    case request::slice:
      check_response(p, answer == TLM_COMPLETED ? "refused" : "could not finish");
      deferred_.defer(time_.effective(delay), *to_, scheduler_event::slice_ends, p);  // the policy may be at work
      return;
    case request::stop:
      p.release();
      return;
    case request::failure:
    case request::repair:
      --watches_;
      deferred_.defer(time_.effective(delay), *to_, scheduler_event::health_changes, p);
      return;
  }
}

void dispatch_port::responds(tlm_generic_payload& p, const sc_time& delay) {
  using request = slice_extension::request;
  transaction_pool<slice_extension>::end(p);
  const request asked = slice(p).asks;
  if (asked == request::stop) {
    p.release();
    return;
  }
  const ticks at = time_.effective(delay);
  // The server may rely on the scheduler's reference until it has the answer, and meanwhile the policy may dispatch.
  p.acquire();
  if (asked != request::slice) {
    --watches_;
    tell(at, scheduler_event::health_changes, p);
  } else {
    check_response(p, "could not finish");
    if (at > time_.now())
      deferred_.defer(at, *to_, scheduler_event::slice_ends, p);
    else
      ends(p);
  }
  p.release();
}

tlm_sync_enum dispatch_port::hop::extended(payload& p, tlm_phase& phase, const sc_time& delay) {
  if (phase != slice_saving || !port_->reports_saving_) return TLM_ACCEPTED;  // slice_productive, or unknown
  if (!in_progress(p)) violated(rule::extended_not_in_progress, phase, p);
  if (slice(p).asks != slice_extension::request::slice) return TLM_ACCEPTED;
  port_->saves(p, port_->time_.effective(delay));
  return TLM_ACCEPTED;
}

void dispatch_port::hop::violated(const broken_rule& broken, const tlm_phase& phase, const payload& p) const {
  const auto number = this - port_->hops_.data();
  muster::violated(broken, fmt::format("{}[{}]", port_->sockets_.name(), number), port_->time_.now(), phase, p);
}

void dispatch_port::tell(ticks at, scheduler_event what, tlm_generic_payload& p) {
  if (at > time_.now())
    deferred_.defer(at, *to_, what, p);
  else if (undisturbed())
    to_->happens(what, &p);
  else
    tell_afterwards(what, p);
}

void dispatch_port::end_stopping() {
  stopping_ = false;
  for (const event& e : deferred_during_stop_) {
    if (e.what == scheduler_event::slice_ends)
      to_->slice_ends(*e.transaction);
    else
      to_->happens(e.what, e.transaction);
  }
  deferred_during_stop_.clear();
}

void dispatch_port::refused(const tlm_generic_payload& p, const char* outcome) const {
  const auto& s = *p.get_extension<slice_extension>();
  const bool rigid = s.rate == 0.0;
  if (rigid && beyond_clock(time_.now(), s.descriptor.duration))
    time_.leave_clock(fmt::format("the end of job {}", s.descriptor.job));
  scheduler_fault(time_, fmt::format("server '{}' {} a slice of job {}: {}", groups_[s.group].name, outcome,
                                     s.descriptor.job, p.get_response_string()));
}

}  // namespace muster
