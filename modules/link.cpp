#include "modules/link.h"

#include <algorithm>

#include "modules/protocol.h"

namespace muster {

using namespace sc_core;
using namespace tlm;

link::link(const sc_module_name& name, timekeeper& time, ticks latency)
    : sc_module(name), time_(time), latency_(latency) {
  in.register_nb_transport_fw(this, &link::nb_transport_fw);
  in.register_b_transport(this, &link::b_transport);
  out.register_nb_transport_bw(this, &link::nb_transport_bw);
}

tlm_sync_enum link::nb_transport_fw(tlm_generic_payload& p, tlm_phase& phase, sc_time& delay) {
  if (phase == BEGIN_REQ) {
    p.acquire();
    travel(forward, p, delay);
    phase = END_REQ;
    return TLM_UPDATED;
  }
  if (phase == END_RESP) {
    p.release();
    responses_.answered([this](tlm_generic_payload& next) { return respond(next); });
    return TLM_COMPLETED;
  }
  return out->nb_transport_fw(p, phase, delay);
}

tlm_sync_enum link::nb_transport_bw(tlm_generic_payload& p, tlm_phase& phase, sc_time& delay) {
  if (phase == END_REQ) {
    requests_.answered([this](tlm_generic_payload& next) { return request(next); });
    return TLM_ACCEPTED;
  }
  if (phase == BEGIN_RESP) {
    travel(backward, p, delay);
    return TLM_COMPLETED;
  }
  return in->nb_transport_bw(p, phase, delay);
}

void link::b_transport(tlm_generic_payload& p, sc_time& delay) {
  const sc_time one_way = to_sc_time(latency_);
  delay += one_way;
  out->b_transport(p, delay);
  delay += one_way;
}

void link::travel(direction way, tlm_generic_payload& p, const sc_time& delay) {
  travelling_[way].push_back(&p);
  const ticks now = std::max<ticks>(time_.now(), time_.effective(delay));
  time_.arm(now + latency_, timer_rank::travel, *this, way);
}

void link::expired(ticks, std::uint32_t way) {
  tlm_generic_payload& p = *travelling_[way].front();
  travelling_[way].pop_front();
  if (way == forward)
    requests_.pass(p, [this](tlm_generic_payload& next) { return request(next); });
  else
    responses_.pass(p, [this](tlm_generic_payload& next) { return respond(next); });
}

bool link::request(tlm_generic_payload& p) {
  tlm_phase phase = BEGIN_REQ;
  sc_time delay = time_.lead();
  const tlm_sync_enum answer = out->nb_transport_fw(p, phase, delay);
  if (answer == TLM_ACCEPTED) return false;
  if (answer == TLM_UPDATED && phase == END_REQ) return true;
  if (answer == TLM_UPDATED && phase == BEGIN_RESP) {
    phase = END_RESP;
    sc_time lead = time_.lead();
    out->nb_transport_fw(p, phase, lead);
  }
  travel(backward, p, delay);  // the transaction has ended early
  return true;
}

bool link::respond(tlm_generic_payload& p) {
  tlm_phase phase = BEGIN_RESP;
  sc_time delay = time_.lead();
  const tlm_sync_enum answer = in->nb_transport_bw(p, phase, delay);
  if (answer != TLM_COMPLETED && !(answer == TLM_UPDATED && phase == END_RESP)) return false;
  p.release();
  return true;
}

}  // namespace muster
