#include "muster/modules/link.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "muster/modules/protocol.h"

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
    p.release();
    responses_.answered(p, [this](tlm_generic_payload& next) { return respond(next); });
    return TLM_COMPLETED;
  }
  p.acquire();
  travel(direction::forward, p, phase, delay);
  if (phase != BEGIN_REQ) return TLM_ACCEPTED;
  phase = END_REQ;
  return TLM_UPDATED;
}

tlm_sync_enum link::nb_transport_bw(tlm_generic_payload& p, tlm_phase& phase, sc_time& delay) {
  // A response implies the END_REQ that a target has left out.
  if (phase == END_REQ || phase == BEGIN_RESP)
    requests_.answered(p, [this](tlm_generic_payload& next) { return request(next); });
  if (phase == END_REQ) return TLM_ACCEPTED;
  const bool response = phase == BEGIN_RESP;
  if (!response) p.acquire();
  travel(direction::backward, p, phase, delay);
  return response ? TLM_COMPLETED : TLM_ACCEPTED;
}

void link::b_transport(tlm_generic_payload& p, sc_time& delay) {
  const sc_time one_way = to_sc_time(network_ ? network_->latency(server_of(p)) : latency_);
  delay += one_way;
  out->b_transport(p, delay);
  delay += one_way;
}

unsigned link::transport_dbg(tlm_generic_payload& p) { return out->transport_dbg(p); }

// An address beyond the bank is its last server's to refuse.
std::uint32_t link::server_of(const tlm_generic_payload& p) const {
  return first_ +
         static_cast<std::uint32_t>(std::min<std::uint64_t>(p.get_address() / server_register::stride, count_ - 1));
}

void link::travel(direction way, tlm_generic_payload& p, const tlm_phase& phase, const sc_time& delay) {
  std::uint32_t index;
  if (idle_.empty()) {
    index = static_cast<std::uint32_t>(travellers_.size());
    travellers_.emplace_back();
  } else {
    index = idle_.back();
    idle_.pop_back();
  }
  travellers_[index] = {&p, phase, way};
  const ticks at = time_.effective(delay);
  if (!network_) {
    time_.arm(at + latency_, time_.travel_rank(), *this, index);
    return;
  }
  const bool forward = way == direction::forward;
  const bool dispatch = phase == BEGIN_REQ && p.get_address() % server_register::stride == server_register::doorbell;
  network_->send(at, server_of(p), forward ? network::towards::server : network::towards::scheduler,
                 dispatch ? network_->bytes().dispatch : network_->bytes().other, *this, index);
}

void link::expired(ticks, std::uint32_t cookie) {
  traveller t = travellers_[cookie];
  idle_.push_back(cookie);
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
  const tlm_sync_enum answer = out->nb_transport_fw(p, phase, delay);
  if (answer == TLM_ACCEPTED) return false;
  if (answer == TLM_UPDATED && phase == END_REQ) return true;
  if (answer == TLM_UPDATED && phase != BEGIN_RESP) return false;  // an extended phase that we do not know
  travel(direction::backward, p, BEGIN_RESP, delay);               // the transaction has ended early
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
  if (answer != TLM_COMPLETED && !(answer == TLM_UPDATED && phase == END_RESP)) return false;
  p.release();
  return true;
}

}  // namespace muster
