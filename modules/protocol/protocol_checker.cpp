#include "muster/modules/protocol/protocol_checker.h"

#include <algorithm>
#include <sstream>

namespace muster {

using namespace sc_core;
using namespace tlm;

namespace {

constexpr broken_rule not_released{"a payload was acquired and is not released when the simulation ends", "14.5"};
constexpr broken_rule not_answered{"a request is not answered when nothing is left to do", "15.2.4"};

std::string references(int count) { return std::to_string(count) + (count == 1 ? " reference" : " references"); }

// What is reported of many is the first and how many more there are: a report is an exception.
std::string and_more(std::size_t count) {
  return count == 1 ? "" : "; " + std::to_string(count - 1) + " more on this hop";
}

}  // namespace

protocol_checker::protocol_checker(const sc_module_name& name, addresses a)
    : sc_module(name), addresses_stay_(a == addresses::stay) {
  in.bind(static_cast<tlm_fw_transport_if<>&>(*this));
  out.bind(static_cast<tlm_bw_transport_if<>&>(*this));
}

tlm_sync_enum protocol_checker::nb_transport_fw(payload& p, tlm_phase& phase, sc_time& delay) {
  passage call = enter(p, phase, delay);
  check_references(call, p);
  initiator_sends(call, p);
  const tlm_sync_enum answer = out->nb_transport_fw(p, phase, delay);
  returned(call, answer, phase, delay);
  if (answer == TLM_UPDATED) {
    if (call.phase == END_RESP)
      violated({"TLM_UPDATED is returned to END_RESP, after which no phase may follow", "15.2.4"}, call);
    else
      target_sends(call, p, phase);
  } else if (answer == TLM_COMPLETED) {
    if (call.phase == BEGIN_REQ)
      completed_early(call, p);
    else if (call.phase != END_RESP)
      violated({"TLM_COMPLETED is returned to an extended phase", "15.2.4"}, call);
  }
  return answer;
}

tlm_sync_enum protocol_checker::nb_transport_bw(payload& p, tlm_phase& phase, sc_time& delay) {
  passage call = enter(p, phase, delay);
  check_references(call, p);
  target_sends(call, p, phase);
  const tlm_sync_enum answer = in->nb_transport_bw(p, phase, delay);
  returned(call, answer, phase, delay);
  // The initiator may have given the object back by now.
  if (answer == TLM_UPDATED) {
    note(phase);
    if (phase == END_RESP)
      end_response(call, nullptr, phase);
    else if (!is_extended(phase))
      violated(rule::not_returned_by_initiator, call);
  } else if (answer == TLM_COMPLETED) {
    if (call.phase == BEGIN_RESP)
      end_response(call, nullptr, call.phase);
    else
      violated({"the initiator returns TLM_COMPLETED to another phase than BEGIN_RESP", "15.2.4"}, call);
  }
  return answer;
}

void protocol_checker::b_transport(payload& p, sc_time& delay) {
  passage call = enter(p, UNINITIALIZED_PHASE, delay);
  if (p.has_mm() && p.get_ref_count() < 1)
    violated({"b_transport with a transaction whose reference count is 0", "14.5 t)"}, call);
  if (sc_get_current_process_handle().proc_kind() == SC_METHOD_PROC_)
    violated({"b_transport is called from a method process", "11.1.1.4 b)"}, call);
  begin(call, p, stage::blocking);
  out->b_transport(p, delay);
  call.at = sc_time_stamp() + delay;
  transaction* t = find(call);
  if (!t) return;
  if (call.at < t->latest) violated({"b_transport returns with an effective time before the call's", "15.2.7"}, call);
  check_response(call, p, *t);
  check(t->sent.left_behind_in(p), call);
  end(call);
}

unsigned protocol_checker::transport_dbg(payload& p) {
  const passage call = enter(p, UNINITIALIZED_PHASE, SC_ZERO_TIME);
  if (p.get_data_length() > 0 && !p.get_data_ptr())
    violated({"the data pointer of a debug transaction is null", "11.3.4 l)"}, call);
  const unsigned count = out->transport_dbg(p);
  if (count > p.get_data_length())
    violated({"debug transport returns a count above the data length", "11.3.4 s)"}, call);
  return count;
}

bool protocol_checker::get_direct_mem_ptr(payload& p, tlm_dmi& dmi) { return out->get_direct_mem_ptr(p, dmi); }

void protocol_checker::invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) {
  in->invalidate_direct_mem_ptr(first, last);
}

protocol_checker::passage protocol_checker::enter(payload& p, const tlm_phase& phase, const sc_time& delay) const {
  const auto found = open_.find(&p);
  const std::uint64_t number = found == open_.end() ? 0 : found->second.number;
  return {&p, phase, sc_time_stamp() + delay, delay, transaction_name{p}, number, sc_delta_count()};
}

void protocol_checker::check_references(const passage& call, const payload& p) const {
  if (!p.has_mm()) violated(rule::no_memory_manager, call);
  if (p.get_ref_count() < 1) violated({"nb_transport with a transaction whose reference count is 0", "14.5 t)"}, call);
}

void protocol_checker::begin(passage& call, payload& p, stage at) {
  if (const transaction* t = find(call)) {
    if ((t->at == stage::blocking) != (at == stage::blocking))
      violated({"b_transport and nb_transport are mixed in one transaction", "15.2.10 c)"}, call);
    violated(rule::used_again, call);
    end(call);
  }
  check(improper_request(p), call);
  call.number = ++transactions_;
  open_.emplace(&p, transaction{payload_attributes{p}, at, call.at, call.number, call.name, call.at});
  payloads_.begins(p, call.number, call.at);
}

void protocol_checker::initiator_sends(passage& call, payload& p) {
  note(call.phase);
  if (call.phase == BEGIN_REQ) {
    begin(call, p, stage::requested);
    if (request_ != 0)
      violated({"BEGIN_REQ before the request ahead of it was answered (request exclusion rule)", "15.2.6 e)"}, call);
    request_ = call.number;
    return;
  }
  if (call.phase == END_RESP) {
    end_response(call, &p, call.phase);
    return;
  }
  if (!is_extended(call.phase)) {
    violated(rule::not_from_initiator, call);
    return;
  }
  if (transaction* t = find(call))
    advance(call, *t);
  else
    violated(rule::extended_not_in_progress, call);
}

// Checks a phase that the target sends, in a call of its own or in the return path of the initiator's call.
void protocol_checker::target_sends(passage& call, const payload& p, const tlm_phase& phase) {
  note(phase);
  if (!is_extended(phase) && phase != END_REQ && phase != BEGIN_RESP) {
    violated(rule::not_from_target, call);
    return;
  }
  transaction* t = find(call);
  if (!t) {
    if (is_extended(phase))
      violated(rule::extended_not_in_progress, call);
    else
      violated(rule::answer_not_in_progress, call);
    return;
  }
  if (t->at == stage::blocking) {
    violated({"b_transport and nb_transport are mixed in one transaction", "15.2.10 c)"}, call);
    return;
  }
  advance(call, *t);
  if (is_extended(phase)) return;
  if (phase == END_REQ) {
    if (t->at != stage::requested) violated(rule::second_end_req, call);
    if (t->at == stage::requested) t->at = stage::accepted;
    if (request_ == t->number) request_ = 0;
    return;
  }
  if (t->at == stage::responding) violated(rule::second_begin_resp, call);
  if (request_ == t->number) request_ = 0;  // BEGIN_RESP implies the END_REQ that was left out (15.2.4)
  if (response_ != 0 && response_ != t->number)
    violated({"BEGIN_RESP before the response ahead of it was answered (response exclusion rule)", "15.2.6 f)"}, call);
  t->at = stage::responding;
  response_ = t->number;
  check_response(call, p, *t);
}

// Ends a response: by END_RESP, or by TLM_COMPLETED in answer to BEGIN_RESP. p: null where the payload may be gone.
void protocol_checker::end_response(const passage& call, const payload* p, const tlm_phase& phase) {
  transaction* t = find(call);
  if (!t || t->at != stage::responding) {
    if (t && t->at == stage::blocking)
      violated({"b_transport and nb_transport are mixed in one transaction", "15.2.10 c)"}, call);
    else if (phase == END_RESP)
      violated(rule::stray_end_resp, call);
    else
      violated(rule::answered_already, call);
    return;
  }
  advance(call, *t);
  if (p) check(t->sent.change_in(*p, addresses_stay_), call);
  end(call);
}

void protocol_checker::check_response(const passage& call, const payload& p, const transaction& t) const {
  if (p.get_response_status() == TLM_INCOMPLETE_RESPONSE)
    violated({"the response status is left TLM_INCOMPLETE_RESPONSE", "14.17"}, call);
  const auto changed = t.sent.change_in(p, addresses_stay_);
  check(changed ? changed : t.sent.change_of_data(p), call);
}

// Makes the checks that apply to every return, and sets the passage's time to that of the answer.
void protocol_checker::returned(passage& call, tlm_sync_enum answer, const tlm_phase& phase, const sc_time& delay) {
  if (sc_delta_count() != call.delta) violated({"nb_transport waits", "11.1.2.4"}, call);
  const bool same_phase = phase == call.phase;
  if (answer == TLM_ACCEPTED && !(same_phase && delay == call.delay))
    violated({"phase or delay are changed where TLM_ACCEPTED is returned", "11.1.2.7"}, call);
  if (answer == TLM_UPDATED && same_phase) violated(rule::phase_unchanged, call);
  if (answer != TLM_ACCEPTED) call.at = sc_time_stamp() + delay;
}

void protocol_checker::completed_early(const passage& call, const payload& p) {
  transaction* t = find(call);
  if (!t || t->at != stage::requested) {
    violated(rule::completed_late, call);
    if (!t) return;
  }
  advance(call, *t);
  check_response(call, p, *t);
  end(call);
}

void protocol_checker::advance(const passage& call, transaction& t) const {
  if (call.at < t.latest)
    violated({"a phase takes effect before the one that it follows (its timing annotation goes back)", "15.2.7 c)"},
             call);
  t.latest = call.at;
}

void protocol_checker::end(const passage& call) {
  if (request_ == call.number) request_ = 0;
  if (response_ == call.number) response_ = 0;
  open_.erase(call.object);
  payloads_.ends(call.object, call.number, call.at);
}

void protocol_checker::check_releases(sc_severity severity) const {
  const std::vector<release_watch::holding> held = payloads_.unreleased();
  if (held.empty()) return;
  const release_watch::holding& first = held.front();
  std::ostringstream more;
  more << "; requested at " << first.requested << " with " << references(first.references_at_request) << ", ended at "
       << first.ended << " with " << first.references_at_end << ", " << first.references << " left"
       << and_more(held.size());
  report_violation(not_released, name(), sc_time_stamp(), UNINITIALIZED_PHASE, first.name, more.str(), severity);
}

void protocol_checker::check_rest() const {
  check_releases();
  if (open_.empty()) return;
  const auto by_number = [](const auto& a, const auto& b) { return a.second.number < b.second.number; };
  const transaction& first = std::min_element(open_.begin(), open_.end(), by_number)->second;
  std::ostringstream more;
  more << "; requested at " << first.begun;
  if (first.at == stage::accepted) more << ", accepted, without a response";
  if (first.at == stage::responding) more << ", with a response that has no END_RESP";
  report_violation(not_answered, name(), sc_time_stamp(), UNINITIALIZED_PHASE, first.name,
                   more.str() + and_more(open_.size()));
}

protocol_checker::transaction* protocol_checker::find(const passage& call) {
  if (call.number == 0) return nullptr;
  const auto found = open_.find(call.object);
  return found == open_.end() || found->second.number != call.number ? nullptr : &found->second;
}

void protocol_checker::note(const tlm_phase& phase) {
  if (phase >= passed_.size()) passed_.resize(phase + std::size_t{1});
  ++passed_[phase];
}

void protocol_checker::check(const std::optional<broken_rule>& broken, const passage& call) const {
  if (broken) violated(*broken, call);
}

void protocol_checker::violated(const broken_rule& broken, const passage& call) const {
  report_violation(broken, name(), call.at, call.phase, call.name);
}

}  // namespace muster
