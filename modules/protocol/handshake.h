#pragma once

#include <tlm>

#include "muster/modules/kernel/exclusion_queue.h"
#include "muster/modules/protocol/protocol_rules.h"

/// @file
/// What the other end of a hop returns, held against the base protocol. What muster's own modules return is found
/// first.

namespace muster {

/// What nb_transport_fw has done with a BEGIN_REQ.
enum class request_answer { none, accepted, responded };

/// Checks what nb_transport_fw has returned to BEGIN_REQ.
/// @param sent what holds the hop's request: the call is one that it makes
/// @param violated called with the rule that is broken, if one is; must not return
template <class Violated>
request_answer answer_to_request(tlm::tlm_sync_enum answer, const tlm::tlm_phase& phase, const exclusion_queue& sent,
                                 const tlm::tlm_generic_payload& p, Violated violated) {
  if (answer == tlm::TLM_UPDATED && phase == tlm::END_REQ && sent.awaits(p)) return request_answer::accepted;
  if (answer == tlm::TLM_ACCEPTED) return request_answer::none;
  if (answer == tlm::TLM_UPDATED) {
    if (is_extended(phase)) return request_answer::none;  // one that we do not know
    if (phase == tlm::END_REQ) violated(rule::second_end_req);
    if (phase != tlm::BEGIN_RESP) violated(phase == tlm::BEGIN_REQ ? rule::phase_unchanged : rule::not_from_target);
  } else if (!sent.awaits(p)) {
    violated(rule::completed_late);
  }
  return request_answer::responded;
}

/// Checks what nb_transport_bw has returned to BEGIN_RESP; parameters as with answer_to_request().
/// @return whether it has ended the transaction
template <class Violated>
bool response_answered(tlm::tlm_sync_enum answer, const tlm::tlm_phase& phase, const exclusion_queue& sent,
                       const tlm::tlm_generic_payload& p, Violated violated) {
  if (answer == tlm::TLM_COMPLETED && sent.awaits(p)) return true;
  if (answer == tlm::TLM_ACCEPTED) return false;
  if (answer == tlm::TLM_COMPLETED) violated(rule::answered_already);
  if (is_extended(phase)) return false;  // one that we do not know
  if (phase != tlm::END_RESP)
    violated(phase == tlm::BEGIN_RESP ? rule::phase_unchanged : rule::not_returned_by_initiator);
  if (!sent.awaits(p)) violated(rule::stray_end_resp);
  return true;
}

}  // namespace muster
