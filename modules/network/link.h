#pragma once

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <systemc>
#include <tlm>

#include "muster/modules/kernel/parameter_list.h"
#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/kernel/transaction_table.h"
#include "muster/modules/network/network.h"
#include "muster/modules/protocol/handshake.h"
#include "muster/policies/algorithms/index_pool.h"

namespace muster {

/// A connection with a latency: it fits between any two sockets and delays each request, each response and each
/// extended phase. A link accepts requests and responses at once, so that the hop before it is free for the next. A
/// link without latency should be left out. Debug transport passes without delay; direct memory interfaces are not
/// forwarded.
///
/// A call that breaks the base protocol is a SystemC error of type /muster/protocol. A request that would arrive beyond
/// the range of simulated time is answered with a generic error; any other phase that would is a SystemC error of type
/// /muster/timekeeper.
///
/// A link may connect to a bank of servers (see server_register) over a network: the delay of a message then depends on
/// its size, its server and the other messages. A blocking call is delayed by the latency only.
class link : public sc_core::sc_module, public listed_module, private timer_observer {
 public:
  tlm_utils::passthrough_target_socket<link> in{"in"};
  tlm_utils::simple_initiator_socket<link> out{"out"};

  /// @param latency one way, in ticks; with end_of_clock or more, no phase arrives
  link(const sc_core::sc_module_name& name, timekeeper& time, ticks latency);
  /// @param over outlives the link
  /// @param first place of the bank's first server among all of the network
  /// @param count of the bank's servers; servers that the network does not have are a SystemC error of type
  /// /muster/link
  link(const sc_core::sc_module_name& name, network& over, std::uint32_t first, std::uint32_t count);

  /// Lists the latency and the messages under way, see list_parameters().
  void list_into(parameter_list& all) const override;

 private:
  enum class direction { forward, backward };

  /// The hop towards the scheduler, where the link is a target.
  class near_hop : private target_hop<near_hop> {
   public:
    explicit near_hop(link& own) : link_(own) {}
    tlm::tlm_sync_enum receive(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
      return receive_request(p, phase, delay);
    }
    void respond(payload& p) { send_response(p); }

   private:
    friend target_hop<near_hop>;
    tlm::tlm_sync_enum call_back(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
      return link_.in->nb_transport_bw(p, phase, delay);
    }
    sc_core::sc_time lead() const { return link_.time_.lead(); }
    tlm::tlm_sync_enum begins(payload& p, tlm::tlm_phase& phase, const sc_core::sc_time& delay);
    tlm::tlm_sync_enum extended(payload& p, tlm::tlm_phase& phase, const sc_core::sc_time& delay) {
      return link_.extended(direction::forward, p, phase, delay);
    }
    void ended(payload& p);
    [[noreturn, gnu::cold, gnu::noinline]] void violated(const broken_rule& broken, const tlm::tlm_phase& phase,
                                                         const payload& p) const {
      link_.violated(broken, link_.in.name(), phase, p);
    }
    link& link_;
  };
  /// The hop towards the servers, where the link is an initiator.
  class far_hop : private initiator_hop<far_hop> {
   public:
    explicit far_hop(link& own) : link_(own) {}
    tlm::tlm_sync_enum receive(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
      return receive_answer(p, phase, delay);
    }
    void request(payload& p) { send_request(p); }

   private:
    friend initiator_hop<far_hop>;
    tlm::tlm_sync_enum call(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
      return link_.out->nb_transport_fw(p, phase, delay);
    }
    sc_core::sc_time lead() const { return link_.time_.lead(); }
    bool in_progress(const payload& p) const { return link_.open_.find(p) != nullptr; }
    void responds(payload& p, const sc_core::sc_time& delay);
    void responds_at_once(payload& p, tlm::tlm_sync_enum, const sc_core::sc_time& delay) { responds(p, delay); }
    tlm::tlm_sync_enum extended(payload& p, tlm::tlm_phase& phase, const sc_core::sc_time& delay) {
      return link_.extended(direction::backward, p, phase, delay);
    }
    [[noreturn, gnu::cold, gnu::noinline]] void violated(const broken_rule& broken, const tlm::tlm_phase& phase,
                                                         const payload& p) const {
      link_.violated(broken, link_.out.name(), phase, p);
    }
    link& link_;
  };

  /// A phase on its way to the other end.
  struct delayed_phase {
    tlm::tlm_generic_payload* transaction = nullptr;
    tlm::tlm_phase phase;
    direction way{};
  };
  /// A transaction in progress, from its request until its response is answered. The address is read once, at the
  /// request, as an interconnect may rewrite it on the way (14.7).
  struct transaction {
    std::uint32_t server = 0;  ///< server of the network to which it goes
    bool starts_slice = false;
    bool responded = false;
  };

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return near_.receive(p, phase, delay);
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return far_.receive(p, phase, delay);
  }
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& p);
  std::uint32_t server_of(const tlm::tlm_generic_payload& p) const;
  ticks latency_of(std::uint32_t server) const { return network_ ? network_->latency(server) : latency_; }
  tlm::tlm_sync_enum extended(direction way, tlm::tlm_generic_payload& p, const tlm::tlm_phase& phase,
                              const sc_core::sc_time& delay);
  [[noreturn, gnu::cold, gnu::noinline]] void violated(const broken_rule& broken, const char* socket,
                                                       const tlm::tlm_phase& phase,
                                                       const tlm::tlm_generic_payload& p) const;
  void travel(direction way, tlm::tlm_generic_payload& p, const transaction& t, const tlm::tlm_phase& phase,
              const sc_core::sc_time& delay);
  void expired(ticks now, std::uint32_t cookie) override;

  timekeeper& time_;
  ticks latency_ = 0;
  network* network_ = nullptr;  // null: messages are delayed by latency_ alone
  std::uint32_t first_ = 0, count_ = 0;
  index_pool<delayed_phase> delayed_;
  transaction_table<transaction> open_;
  near_hop near_{*this};
  far_hop far_{*this};
};

}  // namespace muster
