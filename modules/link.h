#pragma once

#include <vector>

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <systemc>
#include <tlm>

#include "muster/modules/exclusion_gate.h"
#include "muster/modules/network.h"
#include "muster/modules/timekeeper.h"

namespace muster {

/// A connection that takes time: fits between any two sockets and holds each request, each response and each extended
/// phase back for its latency. It takes requests and responses in at once, so that the hop before it is free for the
/// next. With no latency, leave it out. Debug transport passes without delay; direct memory is not offered through it.
///
/// It may lead over a network to a bank of servers (see server_register): each message then takes as long as its bytes,
/// its server's place and the messages before it make it. A blocking call takes the latency alone.
class link : public sc_core::sc_module, private timer_client {
 public:
  tlm_utils::passthrough_target_socket<link> in{"in"};
  tlm_utils::simple_initiator_socket<link> out{"out"};

  /// @param latency one way, in ticks
  link(const sc_core::sc_module_name& name, timekeeper& time, ticks latency);
  /// @param over outlives the link
  /// @param first place of the bank's first server among all of the network
  /// @param count of the bank's servers; with one that the network has not it is a SystemC error of type /muster/link
  link(const sc_core::sc_module_name& name, network& over, std::uint32_t first, std::uint32_t count);

 private:
  enum class direction { forward, backward };

  /// A phase on its way to the other end.
  struct traveller {
    tlm::tlm_generic_payload* transaction = nullptr;
    tlm::tlm_phase phase;
    direction way{};
  };

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& p);
  std::uint32_t server_of(const tlm::tlm_generic_payload& p) const;
  void travel(direction way, tlm::tlm_generic_payload& p, const tlm::tlm_phase& phase, const sc_core::sc_time& delay);
  void expired(ticks now, std::uint32_t cookie) override;
  bool request(tlm::tlm_generic_payload& p);
  bool respond(tlm::tlm_generic_payload& p);

  timekeeper& time_;
  ticks latency_ = 0;
  network* network_ = nullptr;  // null: the latency is all
  std::uint32_t first_ = 0, count_ = 0;
  std::vector<traveller> travellers_;
  std::vector<std::uint32_t> idle_;  // entries of travellers_ that nobody uses
  exclusion_gate requests_;
  exclusion_gate responses_;
};

}  // namespace muster
