#include "muster/modules/scheduler/ports/dispatch_port.h"

#include <fmt/format.h>

#include "muster/modules/scheduler/events/scheduler_error.h"

namespace muster {

using namespace sc_core;
using namespace tlm;

dispatch_port::dispatch_port(const sc_object& sockets, timekeeper& time, deferred_events& deferred,
                             const table<group_id, server_group>& groups,
                             const table<group_id, group_location>& locations)
    : sockets_(sockets),
      time_(time),
      events_(time, deferred),
      groups_(groups),
      locations_(locations),
      requests_(locations) {}

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
  const auto begun = [&] {
    const event_delivery::server_call under_way(events_);
    return bank->dispatch_directly(p, at.first_in_bank + s.server);
  };
  if (!begun()) refused_directly(p);
}

void dispatch_port::send_over(hop& h, tlm_generic_payload& p) {
  const slice_extension& s = slice(p);
  slices_.begin(p);
  p.set_address(register_address(locations_[s.group], s.server, server_register::doorbell));
  h.send(p);
}

void dispatch_port::refused_directly(tlm_generic_payload& p) {
  check_response(p, "refused");
  events_.happens_as_timer(time_.now(), scheduler_event::slice_ends, p);  // the policy may be at work
}

void dispatch_port::stop(slice_extension& s, std::uint64_t how) {
  const route& at = routes_[s.group];
  direct_servers* const bank = at.over->direct();
  if (!bank) {
    send(stop_of(s, how));
    return;
  }
  s.stop_sent = true;
  const event_delivery::server_call under_way(events_);
  bank->stop_directly(s, at.first_in_bank + s.server, how == server_register::stop);
}

void dispatch_port::hop::slice_ended(payload& p, bool) {
  if (ending_) {
    wait_to_end(p);
    return;
  }
  ending_ = true;
  port_->events_.slice_ends(p);
  if (!end_.empty()) end_waiting();
  ending_ = false;
}

void dispatch_port::hop::end_waiting() {
  for (std::size_t ended = 0; ended < end_.size();) port_->events_.slice_ends(*end_[ended++]);
  end_.clear();
}

void dispatch_port::saves(tlm_generic_payload& p, ticks at) {
  if (!reports_saving_) return;
  if (!hop_of(p).direct()) p.acquire();
  events_.happens(at, scheduler_event::slice_saves, p);
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

void dispatch_port::responds_at_once(tlm_generic_payload& p, tlm_sync_enum answer, const sc_time& delay) {
  using request = slice_extension::request;
  transaction_pool<slice_extension>::end(p);
  switch (slice(p).asks) {
    case request::slice:
      check_response(p, answer == TLM_COMPLETED ? "refused" : "could not finish");
      events_.happens_as_timer(time_.effective(delay), scheduler_event::slice_ends, p);  // the policy may be at work
      return;
    case request::stop: p.release(); return;
    case request::failure:
    case request::repair:
      requests_.end_watch();
      events_.happens_as_timer(time_.effective(delay), scheduler_event::health_changes, p);
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
    requests_.end_watch();
    events_.happens(at, scheduler_event::health_changes, p);
  } else {
    check_response(p, "could not finish");
    if (at > time_.now())
      events_.happens_as_timer(at, scheduler_event::slice_ends, p);
    else
      events_.slice_ends(p);
  }
  p.release();
}

tlm_sync_enum dispatch_port::hop::extended(payload& p, tlm_phase& phase, const sc_time& delay) {
  if (phase != slice_saving || !port_->reports_saving_)
    return TLM_ACCEPTED;  // the phase is slice_productive, or unknown
  if (!in_progress(p)) violated(rule::extended_not_in_progress, phase, p);
  if (slice(p).asks != slice_extension::request::slice) return TLM_ACCEPTED;
  port_->saves(p, port_->time_.effective(delay));
  return TLM_ACCEPTED;
}

void dispatch_port::hop::violated(const broken_rule& broken, const tlm_phase& phase, const payload& p) const {
  const auto number = this - port_->hops_.data();
  muster::violated(broken, fmt::format("{}[{}]", port_->sockets_.name(), number), port_->time_.now(), phase, p);
}

void dispatch_port::refused(const tlm_generic_payload& p, const char* outcome) const {
  const auto& s = *p.get_extension<slice_extension>();
  if (s.ended == slice_extension::end::refused) return;  // for another scheduler's slice, and not a fault
  const bool rigid = s.rate == 0.0;
  if (rigid && beyond_clock(time_.now(), s.descriptor.duration))
    time_.leave_clock(fmt::format("the end of job {}", s.descriptor.job));
  scheduler_fault(time_, fmt::format("server '{}' {} a slice of job {}: {}", groups_[s.group].name, outcome,
                                     s.descriptor.job, p.get_response_string()));
}

}  // namespace muster
