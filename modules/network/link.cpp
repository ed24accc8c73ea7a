#include "muster/modules/network/link.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "muster/modules/protocol/protocol.h"
#include "muster/modules/protocol/protocol_rules.h"

namespace muster {

using namespace sc_core;
using namespace tlm;

link::link(const sc_module_name& name, network& over, std::uint32_t first, std::uint32_t count)
    : link(name, over.time(), 0) {
  if (std::uint64_t{first} + count > over.server_count()) {
    const std::string what = fmt::format("'{}': servers {} to {} of a network that has {}; expected servers of it",
                                         this->name(), first, std::uint64_t{first} + count - 1, over.server_count());
    SC_REPORT_ERROR("/muster/link", what.c_str());
    throw std::runtime_error(what);  // if somebody has disarmed SystemC's own exception
  }
  network_ = &over;
  first_ = first;
  count_ = count;
}

link::link(const sc_module_name& name, timekeeper& time, ticks latency)
    : sc_module(name), time_(time), latency_(latency) {
  in.register_nb_transport_fw(this, &link::nb_transport_fw);
  in.register_b_transport(this, &link::b_transport);
  in.register_transport_dbg(this, &link::transport_dbg);
  out.register_nb_transport_bw(this, &link::nb_transport_bw);
}

tlm_sync_enum link::nb_transport_fw(tlm_generic_payload& p, tlm_phase& phase, sc_time& delay) {
  if (phase == END_RESP) {
    if (!responses_.awaits(p)) violated(rule::stray_end_resp, in.name(), phase, p);
    end(p);
    responses_.answered(p, [this](tlm_generic_payload& next) { return respond(next); });
    return TLM_COMPLETED;
  }
  if (is_extended(phase)) {
    const transaction& t = in_progress(p, phase, rule::extended_not_in_progress);
    p.acquire();
    travel(direction::forward, p, t, phase, delay);
    return TLM_ACCEPTED;
  }
  if (phase != BEGIN_REQ) violated(rule::not_from_initiator, in.name(), phase, p);
  if (!p.has_mm()) violated(rule::no_memory_manager, in.name(), phase, p);
  if (open_.find(p)) violated(rule::used_again, in.name(), phase, p);
  transaction t;
  if (network_) {
    t.server = server_of(p);
    t.starts_slice = p.get_address() % server_register::stride == server_register::doorbell;
  }
  if (beyond_clock(time_.effective(delay), latency_of(t.server))) {
    p.set_response_status(TLM_GENERIC_ERROR_RESPONSE);
    return TLM_COMPLETED;
  }
  p.acquire();
  open_.insert(p, t);
  travel(direction::forward, p, t, phase, delay);
  phase = END_REQ;
  return TLM_UPDATED;
}

tlm_sync_enum link::nb_transport_bw(tlm_generic_payload& p, tlm_phase& phase, sc_time& delay) {
  if (phase == BEGIN_RESP) {
    transaction& t = in_progress(p, phase, rule::answer_not_in_progress);
    if (t.responded) violated(rule::second_begin_resp, out.name(), phase, p);
    // A response implies the END_REQ that a target has left out.
    requests_.answered(p, [this](tlm_generic_payload& next) { return request(next); });
    respond_later(p, delay);
    return TLM_COMPLETED;
  }
  if (phase == END_REQ) {
    if (!requests_.awaits(p))
      violated(open_.find(p) ? rule::second_end_req : rule::answer_not_in_progress, out.name(), phase, p);
    requests_.answered(p, [this](tlm_generic_payload& next) { return request(next); });
    return TLM_ACCEPTED;
  }
  if (!is_extended(phase)) violated(rule::not_from_target, out.name(), phase, p);
  const transaction& t = in_progress(p, phase, rule::extended_not_in_progress);
  p.acquire();
  travel(direction::backward, p, t, phase, delay);
  return TLM_ACCEPTED;
}

void link::b_transport(tlm_generic_payload& p, sc_time& delay) {
  const ticks one_way = latency_of(network_ ? server_of(p) : 0);
  const auto too_late = [&] { return beyond_clock(time_.effective(delay), one_way); };
  if (too_late()) {
    p.set_response_status(TLM_GENERIC_ERROR_RESPONSE);
    return;
  }
  delay += to_sc_time(one_way);
  out->b_transport(p, delay);
  if (too_late())
    p.set_response_status(TLM_GENERIC_ERROR_RESPONSE);
  else
    delay += to_sc_time(one_way);
}

unsigned link::transport_dbg(tlm_generic_payload& p) { return out->transport_dbg(p); }

// An address beyond the bank is its last server's to refuse.
std::uint32_t link::server_of(const tlm_generic_payload& p) const {
  return first_ +
         static_cast<std::uint32_t>(std::min<std::uint64_t>(p.get_address() / server_register::stride, count_ - 1));
}

link::transaction& link::in_progress(const tlm_generic_payload& p, const tlm_phase& phase,
                                     const broken_rule& otherwise) {
  transaction* const found = open_.find(p);
  if (!found) violated(otherwise, out.name(), phase, p);
  return *found;
}

void link::respond_later(tlm_generic_payload& p, const sc_time& delay) {
  transaction& t = *open_.find(p);
  t.responded = true;
  travel(direction::backward, p, t, BEGIN_RESP, delay);
}

void link::travel(direction way, tlm_generic_payload& p, const transaction& t, const tlm_phase& phase,
                  const sc_time& delay) {
  const ticks at = time_.effective(delay);
  if (beyond_clock(at, latency_of(t.server)))
    time_.leave_clock(
        fmt::format("the arrival of {} on '{}', transaction {}", phase.get_name(), name(), transaction_name{p}.text()));
  const std::uint32_t index = travellers_.take({&p, phase, way});
  if (!network_) {
    time_.arm(at + latency_, time_.travel_rank(), *this, index);
    return;
  }
  const bool forward = way == direction::forward;
  const bool dispatch = phase == BEGIN_REQ && t.starts_slice;
  network_->send(at, t.server, forward ? network::towards::server : network::towards::scheduler,
                 dispatch ? network_->bytes().dispatch : network_->bytes().other, *this, index);
}

void link::expired(ticks, std::uint32_t cookie) {
  traveller t = travellers_[cookie];
  travellers_.give_back(cookie);
  tlm_generic_payload& p = *t.transaction;
  if (t.phase == BEGIN_REQ) {
    requests_.pass(p, [this](tlm_generic_payload& next) { return request(next); });
  } else if (t.phase == BEGIN_RESP) {
    responses_.pass(p, [this](tlm_generic_payload& next) { return respond(next); });
  } else {  // an extended phase, which can be ignored: so is its answer
    sc_time delay = time_.lead();
    if (t.way == direction::forward)
      out->nb_transport_fw(p, t.phase, delay);
    else
      in->nb_transport_bw(p, t.phase, delay);
    p.release();
  }
}

// The link's own reference, taken with the request, is given back with the answer to the response.
bool link::request(tlm_generic_payload& p) {
  tlm_phase phase = BEGIN_REQ;
  sc_time delay = time_.lead();
  const auto refuse = [&](const broken_rule& broken) { violated(broken, out.name(), phase, p); };
  const tlm_sync_enum answer = out->nb_transport_fw(p, phase, delay);
  const request_answer given = answer_to_request(answer, phase, requests_, p, refuse);
  if (given != request_answer::responded) return given == request_answer::accepted;
  if (in_progress(p, phase, rule::answer_not_in_progress).responded) refuse(rule::second_begin_resp);
  respond_later(p, delay);  // the transaction has ended early
  if (answer == TLM_UPDATED) {
    phase = END_RESP;
    out->nb_transport_fw(p, phase, delay);
  }
  return true;
}

bool link::respond(tlm_generic_payload& p) {
  tlm_phase phase = BEGIN_RESP;
  sc_time delay = time_.lead();
  const tlm_sync_enum answer = in->nb_transport_bw(p, phase, delay);
  if (!response_answered(answer, phase, responses_, p,
                         [&](const broken_rule& broken) { violated(broken, in.name(), phase, p); }))
    return false;
  end(p);
  return true;
}

void link::end(tlm_generic_payload& p) {
  open_.erase(p);
  p.release();
}

void link::violated(const broken_rule& broken, const char* hop, const tlm_phase& phase,
                    const tlm_generic_payload& p) const {
  muster::violated(broken, hop, time_.now(), phase, p);
}

}  // namespace muster
