#pragma once

#include <tlm>

#include "muster/modules/exclusion_gate.h"
#include "muster/modules/protocol_rules.h"

/// @file
/// What the other end of a hop returns, held against the base protocol. What muster's own modules return costs one
/// comparison.

namespace muster {

/// Checks what nb_transport_fw has returned to BEGIN_REQ.
/// @param sent what holds the hop's request: the call is one that it makes
/// @param violated called with the rule that is broken, if one is; must not return
/// @return whether END_REQ has been returned, or the response: then the request is answered
template <class Violated>
bool request_answered(tlm::tlm_sync_enum answer, const tlm::tlm_phase& phase, const exclusion_gate& sent,
                      const tlm::tlm_generic_payload& p, Violated violated) {
  if (answer == tlm::TLM_ACCEPTED) return false;
  if (answer == tlm::TLM_UPDATED) {
    if (is_extended(phase)) return false;  // one that we do not know
    if (phase == tlm::BEGIN_RESP) return true;
    if (phase != tlm::END_REQ) violated(phase == tlm::BEGIN_REQ ? rule::phase_unchanged : rule::not_from_target);
  }
  if (!sent.awaits(p)) violated(answer == tlm::TLM_UPDATED ? rule::second_end_req : rule::completed_late);
  return true;
}

/// Checks what nb_transport_bw has returned to BEGIN_RESP; parameters as with request_answered().
/// @return whether it has ended the transaction
template <class Violated>
bool response_answered(tlm::tlm_sync_enum answer, const tlm::tlm_phase& phase, const exclusion_gate& sent,
                       const tlm::tlm_generic_payload& p, Violated violated) {
  if (answer == tlm::TLM_ACCEPTED) return false;
  if (answer == tlm::TLM_UPDATED) {
    if (is_extended(phase)) return false;
    if (phase != tlm::END_RESP)
      violated(phase == tlm::BEGIN_RESP ? rule::phase_unchanged : rule::not_returned_by_initiator);
  }
  if (!sent.awaits(p)) violated(answer == tlm::TLM_UPDATED ? rule::stray_end_resp : rule::answered_already);
  return true;
}

}  // namespace muster
