#include "muster/modules/scheduler/dispatch_port.h"

#include <fmt/format.h>

#include "muster/modules/protocol/handshake.h"
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

tlm_generic_payload& dispatch_port::slice_of(job_extension& j, const placement& at, ticks duration) {
  tlm_generic_payload& p = pool_.take();
  slice_extension& s = slice(p);
  s.descriptor = {j.id, at.cores, duration};
  s.holder = &j;
  s.group = at.group;
  s.server = at.server;
  s.asks = slice_extension::request::slice;
  address(p, at.group, at.server, server_register::doorbell, sizeof s.descriptor);
  ++slices_sent_;
  return p;
}

tlm_generic_payload& dispatch_port::stop_of(slice_extension& stopped, std::uint64_t how) {
  tlm_generic_payload& p = pool_.take();
  slice_extension& stop = slice(p);
  stop.descriptor.job = stopped.descriptor.job;
  stop.group = stopped.group;
  stop.stops = &stopped;
  stop.asks = slice_extension::request::stop;
  stopped.stop_sent = true;
  address(p, stopped.group, stopped.server, how, sizeof stop.descriptor.job);
  return p;
}

// Its response comes when the server fails, or is in order again.
void dispatch_port::watch(group_id group, std::uint32_t server, slice_extension::request change) {
  tlm_generic_payload& p = pool_.take();
  slice_extension& s = slice(p);
  s.group = group;
  s.server = server;
  s.asks = change;
  const bool failure = change == slice_extension::request::failure;
  address(p, group, server, failure ? server_register::until_failed : server_register::until_repaired,
          sizeof s.descriptor.job);
  p.set_read();
  ++watches_;
  send(p);
}

// The data of every write begin with the descriptor; its first word is the job's number.
void dispatch_port::address(tlm_generic_payload& p, group_id group, std::uint32_t server, std::uint64_t where,
                            unsigned length) {
  p.set_command(TLM_WRITE_COMMAND);
  p.set_address((std::uint64_t{locations_[group].first_in_bank} + server) * server_register::stride + where);
  p.set_data_ptr(reinterpret_cast<unsigned char*>(&slice(p).descriptor));
  p.set_data_length(length);
  p.set_streaming_width(length);
  p.set_byte_enable_ptr(nullptr);
  p.set_dmi_allowed(false);
  p.set_response_status(TLM_INCOMPLETE_RESPONSE);
}

void dispatch_port::send(tlm_generic_payload& order) {
  hop_of(order).requests.pass(order, [this](tlm_generic_payload& next) { return request(next); });
}

tlm_sync_enum dispatch_port::call(hop& way, tlm_generic_payload& p, tlm_phase& phase, sc_time& delay) {
  ++calls_;
  set_undisturbed();
  const tlm_sync_enum answer = way.transport->nb_transport_fw(p, phase, delay);
  --calls_;
  set_undisturbed();
  return answer;
}

bool dispatch_port::request(tlm_generic_payload& p) {
  hop& way = hop_of(p);
  tlm_phase phase = BEGIN_REQ;
  sc_time delay = time_.lead();
  const tlm_sync_enum answer = call(way, p, phase, delay);
  const auto refuse = [&](const broken_rule& broken) { violated(broken, number_of(way), phase, p); };
  const request_answer given = answer_to_request(answer, phase, way.requests, p, refuse);
  if (given != request_answer::responded) return given == request_answer::accepted;
  if (!pool_.in_progress(p)) refuse(rule::second_begin_resp);
  responds_at_once(p, answer, delay);
  return true;
}

void dispatch_port::responds_at_once(tlm_generic_payload& p, tlm_sync_enum answer, sc_time& delay) {
  using request = slice_extension::request;
  pool_.end(p);
  const request asked = slice(p).asks;
  if (asked == request::slice) {
    check_response(p, answer == TLM_COMPLETED ? "refused" : "could not finish");
    deferred_.defer(time_.effective(delay), *to_, scheduler_event::slice_ends, p);  // the policy may be at work
  } else if (asked != request::stop) {
    --watches_;
    deferred_.defer(time_.effective(delay), *to_, scheduler_event::health_changes, p);
  }
  if (answer == TLM_UPDATED) {
    tlm_phase phase = END_RESP;
    call(hop_of(p), p, phase, delay);
  }
  if (asked == request::stop) p.release();  // the others' go when they have been dealt with
}

tlm_sync_enum dispatch_port::receive(int from, tlm_generic_payload& p, tlm_phase& phase, sc_time& delay) {
  using request = slice_extension::request;
  hop& way = hops_[static_cast<std::size_t>(from)];
  if (phase != BEGIN_RESP) return other_phase(from, p, phase, delay);
  if (!sent_over(way, p)) violated(rule::answer_not_in_progress, from, phase, p);
  // A response implies the END_REQ that a server has left out.
  way.requests.answered(p, [this](tlm_generic_payload& next) { return this->request(next); });
  pool_.end(p);
  const request asked = slice(p).asks;
  if (asked == request::stop) {
    p.release();
    return TLM_COMPLETED;
  }
  if (asked == request::slice)
    check_response(p, "could not finish");
  else
    --watches_;
  // The server may rely on the scheduler's reference until it has the answer, and meanwhile the policy may dispatch.
  p.acquire();
  tell(time_.effective(delay), asked == request::slice ? scheduler_event::slice_ends : scheduler_event::health_changes,
       p);
  p.release();
  return TLM_COMPLETED;
}

// Other than the response.
tlm_sync_enum dispatch_port::other_phase(int from, tlm_generic_payload& p, const tlm_phase& phase,
                                         const sc_time& delay) {
  hop& way = hops_[static_cast<std::size_t>(from)];
  const auto refuse = [&](const broken_rule& broken) { violated(broken, from, phase, p); };
  if (phase == END_REQ) {
    if (!sent_over(way, p)) refuse(rule::answer_not_in_progress);
    if (!way.requests.awaits(p)) refuse(rule::second_end_req);
    way.requests.answered(p, [this](tlm_generic_payload& next) { return request(next); });
    return TLM_ACCEPTED;
  }
  if (!is_extended(phase)) refuse(rule::not_from_target);
  if (phase != slice_saving || !heeds_saving_) return TLM_ACCEPTED;  // slice_productive, or unknown
  if (!sent_over(way, p)) refuse(rule::extended_not_in_progress);
  if (slice(p).asks != slice_extension::request::slice) return TLM_ACCEPTED;
  p.acquire();
  tell(time_.effective(delay), scheduler_event::slice_saves, p);
  return TLM_ACCEPTED;
}

void dispatch_port::tell_later(ticks at, scheduler_event what, tlm_generic_payload& p) {
  if (at > time_.now() || (calls_ > 0 && !stopping_))
    deferred_.defer(at, *to_, what, p);
  else
    deferred_during_stop_.push_back({what, &p});
}

void dispatch_port::end_stopping() {
  stopping_ = false;
  set_undisturbed();
  for (const event& e : deferred_during_stop_) to_->happens(e.what, e.transaction);
  deferred_during_stop_.clear();
}

void dispatch_port::check_response(const tlm_generic_payload& p, const char* outcome) const {
  if (!p.is_response_error()) return;
  const auto& s = *p.get_extension<slice_extension>();
  const bool rigid = s.rate == 0.0;
  if (rigid && beyond_clock(time_.now(), s.descriptor.duration))
    time_.leave_clock(fmt::format("the end of job {}", s.descriptor.job));
  scheduler_fault(time_, fmt::format("server '{}' {} a slice of job {}: {}", groups_[s.group].name, outcome,
                                     s.descriptor.job, p.get_response_string()));
}

<<<<<<< HEAD
void dispatch_port::violated(const broken_rule& broken, int from, const tlm_phase& phase,
                             const tlm_generic_payload& p) const {
  muster::violated(broken, fmt::format("{}[{}]", sockets_.name(), from), time_.now(), phase, p);
=======
void dispatch_port::violated(const broken_rule& broken, int socket, const tlm_phase& phase,
                             const tlm_generic_payload& p) const {
  muster::violated(broken, fmt::format("{}[{}]", sockets_.name(), socket), time_.now(), phase, p);
>>>>>>> settings
}

}  // namespace muster
