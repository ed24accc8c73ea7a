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
    const std::string message = fmt::format("'{}': servers {} to {} of a network that has {}; expected servers of it",
                                            this->name(), first, std::uint64_t{first} + count - 1, over.server_count());
    SC_REPORT_ERROR("/muster/link", message.c_str());
    throw std::runtime_error(message);  // if SystemC's own exception has been disabled
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

tlm_sync_enum link::near_hop::begins(payload& p, tlm_phase& phase, const sc_time& delay) {
  if (!p.has_mm()) violated(rule::no_memory_manager, phase, p);
  if (link_.open_.find(p)) violated(rule::used_again, phase, p);
  transaction t;
  if (link_.network_) {
    t.server = link_.server_of(p);
    t.starts_slice = p.get_address() % server_register::stride == server_register::doorbell;
  }
  if (beyond_clock(link_.time_.effective(delay), link_.latency_of(t.server))) {
    p.set_response_status(TLM_GENERIC_ERROR_RESPONSE);
    return TLM_COMPLETED;
  }
  p.acquire();
  link_.open_.insert(p, t);
  link_.travel(direction::forward, p, t, phase, delay);
  phase = END_REQ;
  return TLM_UPDATED;
}

// Gives back the link's own reference, which was taken with the request.
void link::near_hop::ended(payload& p) {
  link_.open_.erase(p);
  p.release();
}

void link::far_hop::responds(payload& p, const sc_time& delay) {
  transaction& t = *link_.open_.find(p);
  if (t.responded) violated(rule::second_begin_resp, BEGIN_RESP, p);
  t.responded = true;
  link_.travel(direction::backward, p, t, BEGIN_RESP, delay);
}

tlm_sync_enum link::extended(direction way, tlm_generic_payload& p, const tlm_phase& phase, const sc_time& delay) {
  const transaction* const t = open_.find(p);
  if (!t) violated(rule::extended_not_in_progress, out.name(), phase, p);
  p.acquire();
  travel(way, p, *t, phase, delay);
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

// The server of a request. A request to an address beyond the bank takes the way to the last server, and is refused
// there.
std::uint32_t link::server_of(const tlm_generic_payload& p) const {
  return first_ +
         static_cast<std::uint32_t>(std::min<std::uint64_t>(p.get_address() / server_register::stride, count_ - 1));
}

void link::travel(direction way, tlm_generic_payload& p, const transaction& t, const tlm_phase& phase,
                  const sc_time& delay) {
  const ticks at = time_.effective(delay);
  if (beyond_clock(at, latency_of(t.server)))
    time_.leave_clock(
        fmt::format("the arrival of {} on '{}', transaction {}", phase.get_name(), name(), transaction_name{p}.text()));
  const std::uint32_t index = delayed_.take({&p, phase, way});
  if (!network_) {
    time_.arm(at + latency_, time_.travel_rank(), *this, index);
    return;
  }
  const bool forward = way == direction::forward;
  const bool dispatch = phase == BEGIN_REQ && t.starts_slice;
  network_->send(at, t.server, forward ? network::towards::server : network::towards::scheduler,
                 dispatch ? network_->settings().dispatch_bytes : network_->settings().message_bytes, *this, index);
}

void link::expired(ticks, std::uint32_t cookie) {
  delayed_phase t = delayed_[cookie];
  delayed_.give_back(cookie);
  tlm_generic_payload& p = *t.transaction;
  if (t.phase == BEGIN_REQ) {
    far_.request(p);
  } else if (t.phase == BEGIN_RESP) {
    near_.respond(p);
  } else {  // an extended phase: its return value is ignored
    sc_time delay = time_.lead();
    if (t.way == direction::forward)
      out->nb_transport_fw(p, t.phase, delay);
    else
      in->nb_transport_bw(p, t.phase, delay);
    p.release();
  }
}

void link::violated(const broken_rule& broken, const char* socket, const tlm_phase& phase,
                    const tlm_generic_payload& p) const {
  muster::violated(broken, socket, time_.now(), phase, p);
}

void link::list_into(parameter_list& all) const {
  if (!network_)
    all.add_count(*this, "latency", "ticks", "time that a message takes, one way", [this] { return latency_; });
  all.add_count(*this, "open_transactions", "transactions", "transactions that have passed and are not answered",
                [this] { return open_.size(); });
}

}  // namespace muster
