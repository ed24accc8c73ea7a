#pragma once

#include <algorithm>
#include <cstring>
#include <map>

#include <tlm_utils/passthrough_target_socket.h>
#include <systemc>
#include <tlm>

#include "muster/modules/protocol/protocol.h"

namespace muster {

TLM_DECLARE_EXTENDED_PHASE(strange_phase);

/// A server that somebody else has written: it knows the descriptor in the data, and nothing else of muster.
class foreign_server : public sc_core::sc_module {
 public:
  tlm_utils::passthrough_target_socket<foreign_server> socket{"socket"};

  enum class manner {
    plain,                   ///< END_REQ at once, BEGIN_RESP at the end
    accepts_late,            ///< END_REQ by the backward path, 5 ticks later
    leaves_end_req_out,      ///< TLM_ACCEPTED, and then nothing before BEGIN_RESP
    completes_at_once,       ///< TLM_COMPLETED, the service in the delay argument
    responds_at_once,        ///< BEGIN_RESP in the return path, the service in the delay argument
    announces_the_response,  ///< BEGIN_RESP by the backward path within the request, the service in the delay argument
    takes_no_time,           ///< BEGIN_RESP by the backward path within the request, which takes effect at once
    keeps_no_reference,      ///< as plain, and relies on the scheduler's reference until the scheduler has answered
    speaks_other_phases,     ///< as plain, with phases that nobody knows before and after END_REQ
    fails                    ///< BEGIN_RESP with an error
  };

  foreign_server(const sc_core::sc_module_name& name, manner m) : sc_module(name), manner_(m) {
    SC_HAS_PROCESS(foreign_server);
    socket.register_nb_transport_fw(this, &foreign_server::forward);
    SC_METHOD(next);
    sensitive << due_;
    dont_initialize();
  }

  std::uint64_t ends_of_responses = 0;
  std::size_t most_at_once = 0;
  std::uint64_t stops_refused = 0;

 private:
  using payload = tlm::tlm_generic_payload;
  using sync = tlm::tlm_sync_enum;

  sync forward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::END_RESP) ++ends_of_responses;
    if (phase == tlm::END_RESP && manner_ != manner::responds_at_once && manner_ != manner::keeps_no_reference)
      p.release();
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    if (p.get_address() % server_register::stride != server_register::doorbell) {
      ++stops_refused;
      p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return tlm::TLM_COMPLETED;
    }
    slice_descriptor work;
    std::memcpy(&work, p.get_data_ptr(), sizeof work);
    const sc_core::sc_time service = to_sc_time(work.duration);
    const sc_core::sc_time end = sc_core::sc_time_stamp() + delay + service;
    switch (manner_) {
      case manner::completes_at_once:
        p.set_response_status(tlm::TLM_OK_RESPONSE);
        delay += service;
        return tlm::TLM_COMPLETED;
      case manner::responds_at_once:
        p.set_response_status(tlm::TLM_OK_RESPONSE);
        delay += service;
        phase = tlm::BEGIN_RESP;
        return tlm::TLM_UPDATED;
      case manner::announces_the_response:
      case manner::takes_no_time: {
        p.set_response_status(tlm::TLM_OK_RESPONSE);
        tlm::tlm_phase response = tlm::BEGIN_RESP;
        sc_core::sc_time t = manner_ == manner::takes_no_time ? delay : delay + service;
        socket->nb_transport_bw(p, response, t);
        return tlm::TLM_ACCEPTED;
      }
      case manner::accepts_late:
        remember(end, p, tlm::BEGIN_RESP);
        remember(sc_core::sc_time_stamp() + delay + to_sc_time(5), p, tlm::END_REQ);
        return tlm::TLM_ACCEPTED;
      case manner::leaves_end_req_out: remember(end, p, tlm::BEGIN_RESP); return tlm::TLM_ACCEPTED;
      case manner::speaks_other_phases:
        remember(end, p, tlm::BEGIN_RESP);
        remember(sc_core::sc_time_stamp() + delay, p, tlm::END_REQ);
        phase = strange_phase;
        return tlm::TLM_UPDATED;
      default:
        remember(end, p, tlm::BEGIN_RESP);
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    }
  }

  void remember(const sc_core::sc_time& at, payload& p, const tlm::tlm_phase& phase) {
    if (phase == tlm::BEGIN_RESP) {
      if (manner_ != manner::keeps_no_reference) p.acquire();
      most_at_once = std::max(most_at_once, ++under_way_);
    }
    to_do_.emplace(at, std::make_pair(&p, phase));
    rearm();
  }

  void rearm() {
    due_.cancel();
    if (!to_do_.empty()) due_.notify(to_do_.begin()->first - sc_core::sc_time_stamp());
  }

  void next() {
    if (to_do_.empty() || to_do_.begin()->first > sc_core::sc_time_stamp()) return rearm();
    auto [p, phase] = to_do_.begin()->second;
    to_do_.erase(to_do_.begin());
    sc_core::sc_time t;
    if (phase == tlm::BEGIN_RESP) {
      p->set_response_status(manner_ == manner::fails ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
      --under_way_;
      if (socket->nb_transport_bw(*p, phase, t) == tlm::TLM_COMPLETED && manner_ != manner::keeps_no_reference)
        p->release();
    } else {
      socket->nb_transport_bw(*p, phase, t);
      if (manner_ == manner::speaks_other_phases) {
        tlm::tlm_phase strange = strange_phase;
        socket->nb_transport_bw(*p, strange, t);
      }
    }
    rearm();
  }

  manner manner_;
  std::size_t under_way_ = 0;
  std::multimap<sc_core::sc_time, std::pair<payload*, tlm::tlm_phase>> to_do_;
  sc_core::sc_event due_;
};

}  // namespace muster
