#include "muster/modules/network/interconnect.h"

#include <fmt/format.h>

namespace muster {

using namespace sc_core;
using namespace tlm;

interconnect::interconnect(const sc_module_name& name, timekeeper& time) : sc_module(name), time_(time) {
  in.register_nb_transport_fw(this, &interconnect::nb_transport_fw);
  in.register_b_transport(this, &interconnect::b_transport);
  in.register_transport_dbg(this, &interconnect::transport_dbg);
  out.register_nb_transport_bw(this, &interconnect::nb_transport_bw);
}

void interconnect::end_of_elaboration() {
  for (unsigned n = 0; n < in.size(); ++n) near_.emplace_back(*this, n, *in[static_cast<int>(n)]);
  for (unsigned n = 0; n < out.size(); ++n) far_.emplace_back(*this, n, *out[static_cast<int>(n)]);
}

tlm_sync_enum interconnect::near_hop::begins(payload& p, tlm_phase& phase, const sc_time& delay) {
  if (!p.has_mm()) violated(rule::no_memory_manager, phase, p);
  if (own_->open_.find(p)) violated(rule::used_again, phase, p);
  const ticks at = own_->time_.effective(delay);
  if (at >= end_of_clock) {
    p.set_response_status(TLM_GENERIC_ERROR_RESPONSE);
    return TLM_COMPLETED;
  }
  p.acquire();
  own_->open_.insert(p, {number_});
  if (at > own_->time_.now()) {
    own_->open_.find(p)->in_request = false;
    own_->time_.arm(at, own_->time_.travel_rank(), own_->requests_, own_->requests_.all.take(&p));
  } else {
    own_->pass_on(p);
    transaction& t = *own_->open_.find(p);
    t.in_request = false;
    if (t.responded) {
      ended(p);
      return TLM_COMPLETED;
    }
  }
  phase = END_REQ;
  return TLM_UPDATED;
}

// Gives back the own reference, which was taken with the request.
void interconnect::near_hop::ended(payload& p) {
  own_->open_.erase(p);
  p.release();
}

tlm_sync_enum interconnect::near_hop::extended(payload& p, tlm_phase& phase, sc_time& delay) {
  const transaction* const t = own_->open_.find(p);
  if (!t) violated(rule::extended_not_in_progress, phase, p);
  if (t->to < own_->far_.size()) own_->far_[t->to].call(p, phase, delay);
  return TLM_ACCEPTED;
}

void interconnect::near_hop::violated(const broken_rule& broken, const tlm_phase& phase, const payload& p) const {
  muster::violated(broken, fmt::format("{}[{}]", own_->in.name(), number_), own_->time_.now(), phase, p);
}

bool interconnect::far_hop::in_progress(const payload& p) const {
  const transaction* const t = own_->open_.find(p);
  return t && t->to == number_ && !t->responded;
}

void interconnect::far_hop::responds(payload& p, const sc_time& delay) {
  const ticks at = own_->time_.effective(delay);
  if (at > own_->time_.now())
    own_->time_.arm(at, own_->time_.travel_rank(), own_->responses_, own_->responses_.all.take(&p));
  else
    own_->pass_back(p);
}

tlm_sync_enum interconnect::far_hop::extended(payload& p, tlm_phase& phase, sc_time& delay) {
  const transaction* const t = own_->open_.find(p);
  if (!t) violated(rule::extended_not_in_progress, phase, p);
  if (t->from != none) own_->near_[t->from].call_back(p, phase, delay);
  return TLM_ACCEPTED;
}

void interconnect::far_hop::violated(const broken_rule& broken, const tlm_phase& phase, const payload& p) const {
  muster::violated(broken, fmt::format("{}[{}]", own_->out.name(), number_), own_->time_.now(), phase, p);
}

void interconnect::later_requests::expired(ticks, std::uint32_t cookie) {
  payload& p = *all[cookie];
  all.give_back(cookie);
  own.pass_on(p);
  const transaction& t = *own.open_.find(p);
  if (t.to == answered_here) own.near_[t.from].respond(p);
}

void interconnect::later_responses::expired(ticks, std::uint32_t cookie) {
  payload& p = *all[cookie];
  all.give_back(cookie);
  own.pass_back(p);
}

// Passes a request on that takes effect now. A response that comes within the call of the initiator is returned there.
void interconnect::pass_on(payload& p) {
  const std::uint32_t to = route(open_.find(p)->from, p);
  transaction& t = *open_.find(p);
  t.to = to;
  if (to == answered_here)
    t.responded = true;
  else if (to != held_here)
    far_[to].request(p);
}

void interconnect::pass_held(payload& p, std::uint32_t to) {
  open_.find(p)->to = to;
  far_[to].request(p);
}

void interconnect::answer_held(payload& p) {
  transaction& t = *open_.find(p);
  t.to = answered_here;
  t.responded = true;
  near_[t.from].respond(p);
}

void interconnect::send_own(payload& p, std::uint32_t to) {
  open_.insert(p, {none, to, false});
  far_[to].request(p);
}

void interconnect::pass_back(payload& p) {
  transaction& t = *open_.find(p);
  t.responded = true;
  const std::uint32_t from = t.from;
  if (from == none) {
    const std::uint32_t to = t.to;
    open_.erase(p);
    own_answered(to, p);
    return;
  }
  const bool in_request = t.in_request;
  if (!responds(t.to, p)) {
    transaction& held = *open_.find(p);
    held.to = held_here;
    held.responded = false;
  } else if (!in_request) {
    near_[from].respond(p);
  }
}

}  // namespace muster
