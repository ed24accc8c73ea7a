#pragma once

#include <vector>

#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <systemc>
#include <tlm>

#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/kernel/transaction_table.h"
#include "muster/modules/protocol/handshake.h"
#include "muster/policies/algorithms/index_pool.h"

namespace muster {

/// Passes transactions from several initiators to several targets, without delay: each request to a target that the
/// derived class chooses, and its response back to where it came from. Extended phases go both ways. It accepts
/// requests and responses at once, so that each hop is free for the next; a request that takes effect later, by its
/// delay argument, is passed on then. Direct memory interfaces are not forwarded.
///
/// A call that breaks the base protocol is a SystemC error of type /muster/protocol. A request that would take effect
/// beyond the range of simulated time is answered with a generic error.
class interconnect : public sc_core::sc_module {
 public:
  tlm_utils::multi_passthrough_target_socket<interconnect> in{"in"};
  tlm_utils::multi_passthrough_initiator_socket<interconnect> out{"out"};

  interconnect(const sc_core::sc_module_name& name, timekeeper& time);

  /// Transactions that have passed and are not answered.
  std::size_t open_transactions() const { return open_.size(); }
  static constexpr std::uint32_t answered_here = ~std::uint32_t{0};
  /// What a request that is neither passed on nor answered yet has in place of a target.
  static constexpr std::uint32_t held_here = answered_here - 1;
  /// The number of the target to which a transaction in progress has been passed. @return answered_here: none
  std::uint32_t target_of(const tlm::tlm_generic_payload& p) {
    const transaction* const t = open_.find(p);
    return t ? t->to : answered_here;
  }

 protected:
  using payload = tlm::tlm_generic_payload;

  /// Chooses the target of a request that takes effect now, and may rewrite its address. @param from number of the
  /// initiator @return number of the target, or `answered_here`: the payload has its response, or `held_here`: it is
  /// passed on or answered later, by pass_held() or answer_held()
  virtual std::uint32_t route(std::uint32_t from, payload& p) = 0;
  /// A response has come, now. @param from number of the target
  /// @return whether it goes back to the initiator; false: the request is held again, and pass_held() follows, not
  ///   before this call and those that have brought the response have returned
  virtual bool responds([[maybe_unused]] std::uint32_t from, [[maybe_unused]] payload& p) { return true; }
  /// A request of the derived class's own has its response, now. @param from number of the target
  virtual void own_answered([[maybe_unused]] std::uint32_t from, [[maybe_unused]] payload& p) {}
  /// Carries out a blocking call, or an access over the debug transport.
  virtual void call(std::uint32_t from, payload& p, sc_core::sc_time& delay) = 0;
  virtual unsigned look(std::uint32_t from, payload& p) = 0;

  /// Passes on a request that is held. @param to number of the target
  void pass_held(payload& p, std::uint32_t to);
  /// Answers a request that is held, whose payload has its response.
  void answer_held(payload& p);
  /// Sends a request of the derived class's own, which own_answered() follows. @param to number of the target
  void send_own(payload& p, std::uint32_t to);
  /// The number of the initiator of a transaction in progress.
  std::uint32_t source_of(const payload& p) { return open_.find(p)->from; }

  timekeeper& time() const { return time_; }

 private:
  /// A transaction in progress, from its request until its response is answered.
  struct transaction {
    std::uint32_t from = 0, to = answered_here;
    bool in_request = true;  ///< whether the call that has brought the request has not returned
    bool responded = false;
  };
  /// What requests of the derived class's own have in place of an initiator.
  static constexpr std::uint32_t none = answered_here;
  /// The hop from an initiator.
  class near_hop final : private target_hop<near_hop> {
   public:
    near_hop(interconnect& own, std::uint32_t number, tlm::tlm_bw_transport_if<>& transport)
        : own_(&own), number_(number), transport_(&transport) {}
    tlm::tlm_sync_enum receive(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
      return receive_request(p, phase, delay);
    }
    void respond(payload& p) { send_response(p); }
    tlm::tlm_sync_enum call_back(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
      return transport_->nb_transport_bw(p, phase, delay);
    }

   private:
    friend target_hop<near_hop>;
    sc_core::sc_time lead() const { return own_->time_.lead(); }
    tlm::tlm_sync_enum begins(payload& p, tlm::tlm_phase& phase, const sc_core::sc_time& delay);
    tlm::tlm_sync_enum extended(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay);
    void ended(payload& p);
    [[noreturn, gnu::cold, gnu::noinline]] void violated(const broken_rule& broken, const tlm::tlm_phase& phase,
                                                         const payload& p) const;
    interconnect* own_;
    std::uint32_t number_;
    tlm::tlm_bw_transport_if<>* transport_;
  };
  /// The hop to a target.
  class far_hop final : private initiator_hop<far_hop> {
   public:
    far_hop(interconnect& own, std::uint32_t number, tlm::tlm_fw_transport_if<>& transport)
        : own_(&own), number_(number), transport_(&transport) {}
    tlm::tlm_sync_enum receive(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
      return receive_answer(p, phase, delay);
    }
    void request(payload& p) { send_request(p); }
    tlm::tlm_sync_enum call(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
      return transport_->nb_transport_fw(p, phase, delay);
    }

   private:
    friend initiator_hop<far_hop>;
    sc_core::sc_time lead() const { return own_->time_.lead(); }
    bool in_progress(const payload& p) const;
    void responds(payload& p, const sc_core::sc_time& delay);
    void responds_at_once(payload& p, tlm::tlm_sync_enum, const sc_core::sc_time& delay) { responds(p, delay); }
    tlm::tlm_sync_enum extended(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay);
    [[noreturn, gnu::cold, gnu::noinline]] void violated(const broken_rule& broken, const tlm::tlm_phase& phase,
                                                         const payload& p) const;
    interconnect* own_;
    std::uint32_t number_;
    tlm::tlm_fw_transport_if<>* transport_;
  };
  /// Passes on what takes effect later: requests, and responses.
  struct later_requests final : timer_observer {
    explicit later_requests(interconnect& of) : own(of) {}
    void expired(ticks, std::uint32_t cookie) override;
    interconnect& own;
    index_pool<payload*> all;
  };
  struct later_responses final : timer_observer {
    explicit later_responses(interconnect& of) : own(of) {}
    void expired(ticks, std::uint32_t cookie) override;
    interconnect& own;
    index_pool<payload*> all;
  };

  void end_of_elaboration() override;
  tlm::tlm_sync_enum nb_transport_fw(int from, payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return near_[static_cast<std::size_t>(from)].receive(p, phase, delay);
  }
  tlm::tlm_sync_enum nb_transport_bw(int from, payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return far_[static_cast<std::size_t>(from)].receive(p, phase, delay);
  }
  void b_transport(int from, payload& p, sc_core::sc_time& delay) { call(static_cast<std::uint32_t>(from), p, delay); }
  unsigned transport_dbg(int from, payload& p) { return look(static_cast<std::uint32_t>(from), p); }
  void pass_on(payload& p);
  void pass_back(payload& p);

  timekeeper& time_;
  std::vector<near_hop> near_;
  std::vector<far_hop> far_;
  transaction_table<transaction> open_;
  later_requests requests_{*this};
  later_responses responses_{*this};
};

}  // namespace muster
