#pragma once

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <systemc>
#include <tlm>

namespace muster {

/// An interconnect with an address map of its own, as TLM-2.0 permits (14.7): a target behind it sees addresses from
/// `base` on, and when the request has been passed on the payload keeps what the map calls the place.
class translator : public sc_core::sc_module {
 public:
  tlm_utils::passthrough_target_socket<translator> in{"in"};
  tlm_utils::simple_initiator_socket<translator> out{"out"};

  translator(const sc_core::sc_module_name& name, std::uint64_t base, std::uint64_t map)
      : sc_module(name), base_(base), map_(map) {
    in.register_nb_transport_fw(this, &translator::forward);
    in.register_b_transport(this, &translator::blocking);
    out.register_nb_transport_bw(this, &translator::backward);
  }

 private:
  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) return out->nb_transport_fw(p, phase, delay);
    const std::uint64_t address = p.get_address();
    p.set_address(address + base_);
    const tlm::tlm_sync_enum answer = out->nb_transport_fw(p, phase, delay);
    p.set_address(address + map_);
    return answer;
  }
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return in->nb_transport_bw(p, phase, delay);
  }
  void blocking(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    p.set_address(p.get_address() + base_);
    out->b_transport(p, delay);
  }

  std::uint64_t base_, map_;
};

}  // namespace muster
