#pragma once

#include <tlm>

#include "muster/modules/kernel/exclusion_queue.h"
#include "muster/modules/protocol/protocol_rules.h"

/// @file
/// The handshake of a hop, for each of its two ends: the base protocol's exclusion rules, and checks of what the other
/// end sends and returns. The cases that occur between muster's own modules are tested first.

namespace muster {

/// The initiator's end of a hop: sends requests, receives responses.
/// @tparam Owner derives from it, makes it a friend and has
///   - `tlm_sync_enum call(payload&, phase&, sc_time& delay)`: nb_transport_fw over the hop;
///   - `sc_time lead()`: the delay argument of a call made now;
///   - `bool in_progress(const payload&)`: whether it was sent over this hop and its response has not come;
///   - `void responds(payload&, const sc_time& delay)`: the response has come, by a call;
///   - `void responds_at_once(payload&, tlm_sync_enum, const sc_time& delay)`: the response has come in the return path
///     of the request (TLM_UPDATED), or as early completion (TLM_COMPLETED);
///   - `[[noreturn]] void violated(const broken_rule&, phase, payload)`;
///   - `extended()`, only where it knows an extended phase.
template <class Owner>
class initiator_hop {
 protected:
  using payload = tlm::tlm_generic_payload;

  /// Ignores an extended phase that the owner does not know (15.2.5).
  static tlm::tlm_sync_enum extended(payload&, tlm::tlm_phase&, const sc_core::sc_time&) { return tlm::TLM_ACCEPTED; }

  /// Sends BEGIN_REQ, now or when its turn comes.
  void send_request(payload& p) {
    requests_.pass(p, [this](payload& next) { return request(next); });
  }

  /// Processes a phase from the target. nb_transport_bw calls it and returns the result.
  tlm::tlm_sync_enum receive_answer(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_RESP) return receive_other_phase(p, phase, delay);
    if (!owner().in_progress(p)) owner().violated(rule::answer_not_in_progress, phase, p);
    request_answered(p);  // a response implies an END_REQ that the target has left out
    owner().responds(p, delay);
    return tlm::TLM_COMPLETED;
  }

 private:
  Owner& owner() { return static_cast<Owner&>(*this); }

  void request_answered(payload& p) {
    requests_.answered(p, [this](payload& next) { return request(next); });
  }

  // Sends BEGIN_REQ. @return whether the target has answered within the call
  bool request(payload& p) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = owner().lead();
    const tlm::tlm_sync_enum answer = owner().call(p, phase, delay);
    if (answer == tlm::TLM_UPDATED && phase == tlm::END_REQ && requests_.awaits(p)) return true;
    return answer != tlm::TLM_ACCEPTED && returned_otherwise(p, answer, phase, delay);
  }

  [[gnu::noinline]] bool returned_otherwise(payload& p, tlm::tlm_sync_enum answer, tlm::tlm_phase& phase,
                                            sc_core::sc_time& delay) {
    const auto violated = [&](const broken_rule& broken) { owner().violated(broken, phase, p); };
    if (answer == tlm::TLM_UPDATED) {
      if (is_extended(phase)) return false;  // one that we do not know
      if (phase == tlm::END_REQ) violated(rule::second_end_req);
      if (phase != tlm::BEGIN_RESP) violated(phase == tlm::BEGIN_REQ ? rule::phase_unchanged : rule::not_from_target);
    } else if (!requests_.awaits(p)) {
      violated(rule::completed_late);
    }
    if (!owner().in_progress(p)) violated(rule::second_begin_resp);
    p.acquire();
    owner().responds_at_once(p, answer, delay);
    if (answer == tlm::TLM_UPDATED) {
      phase = tlm::END_RESP;
      owner().call(p, phase, delay);
    }
    p.release();
    return true;
  }

  [[gnu::noinline]] tlm::tlm_sync_enum receive_other_phase(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (is_extended(phase)) return owner().extended(p, phase, delay);
    if (phase != tlm::END_REQ) owner().violated(rule::not_from_target, phase, p);
    if (!owner().in_progress(p)) owner().violated(rule::answer_not_in_progress, phase, p);
    if (!requests_.awaits(p)) owner().violated(rule::second_end_req, phase, p);
    request_answered(p);
    return tlm::TLM_ACCEPTED;
  }

  exclusion_queue requests_;
};

/// The target's end of a hop: receives requests, sends responses.
/// @tparam Owner derives from it, makes it a friend and has `lead()` and `violated()` as with initiator_hop, and
///   - `tlm_sync_enum call_back(payload&, phase&, sc_time& delay)`: nb_transport_bw over the hop;
///   - `tlm_sync_enum begins(payload&, phase&, sc_time& delay)`: a request has come; sets the phase that is returned;
///   - `void ended(payload&)`: the transaction has ended; releases the owner's reference to it;
///   - `extended()`, only where it knows an extended phase.
template <class Owner>
class target_hop {
 protected:
  using payload = tlm::tlm_generic_payload;

  /// Ignores an extended phase that the owner does not know (15.2.5).
  static tlm::tlm_sync_enum extended(payload&, tlm::tlm_phase&, const sc_core::sc_time&) { return tlm::TLM_ACCEPTED; }

  /// Sends BEGIN_RESP, now or when its turn comes.
  void send_response(payload& p) {
    responses_.pass(p, [this](payload& next) { return respond(next); });
  }
  /// Whether the payload's response has been sent and not been answered.
  bool response_awaits(const payload& p) const { return responses_.awaits(p); }
  /// Checks the value that nb_transport_bw has returned. A call_back() after whose return the payload may be gone calls
  /// it itself.
  /// @return whether that value ends the transaction
  bool check_answer(const payload& p, tlm::tlm_sync_enum answer, const tlm::tlm_phase& phase) {
    if (answer == tlm::TLM_COMPLETED && responses_.awaits(p)) return true;
    return answer != tlm::TLM_ACCEPTED && returned_end_resp(p, answer, phase);
  }

  /// Processes a phase from the initiator. nb_transport_fw calls it and returns the result.
  tlm::tlm_sync_enum receive_request(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return phase == tlm::BEGIN_REQ ? owner().begins(p, phase, delay) : receive_other_phase(p, phase, delay);
  }

 private:
  Owner& owner() { return static_cast<Owner&>(*this); }

  // Sends BEGIN_RESP. @return whether the initiator has answered within the call
  bool respond(payload& p) {
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = owner().lead();
    const tlm::tlm_sync_enum answer = owner().call_back(p, phase, delay);
    if (!check_answer(p, answer, phase)) return false;
    owner().ended(p);
    return true;
  }

  [[gnu::noinline]] bool returned_end_resp(const payload& p, tlm::tlm_sync_enum answer, const tlm::tlm_phase& phase) {
    const auto violated = [&](const broken_rule& broken) { owner().violated(broken, phase, p); };
    if (answer == tlm::TLM_COMPLETED) violated(rule::answered_already);
    if (is_extended(phase)) return false;  // one that we do not know
    if (phase != tlm::END_RESP)
      violated(phase == tlm::BEGIN_RESP ? rule::phase_unchanged : rule::not_returned_by_initiator);
    if (!responses_.awaits(p)) violated(rule::stray_end_resp);
    return true;
  }

  [[gnu::noinline]] tlm::tlm_sync_enum receive_other_phase(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (is_extended(phase)) return owner().extended(p, phase, delay);
    if (phase != tlm::END_RESP) owner().violated(rule::not_from_initiator, phase, p);
    if (!responses_.awaits(p)) owner().violated(rule::stray_end_resp, phase, p);
    owner().ended(p);
    responses_.answered(p, [this](payload& next) { return respond(next); });
    return tlm::TLM_COMPLETED;
  }

  exclusion_queue responses_;
};

}  // namespace muster
