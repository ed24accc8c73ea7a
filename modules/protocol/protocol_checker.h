#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include <systemc>
#include <tlm>

#include "muster/modules/protocol/payload_attributes.h"
#include "muster/modules/protocol/release_watch.h"

namespace muster {

/// Checks the TLM-2.0 base protocol (IEEE Std 1666-2011, clauses 11, 14 and 15.2) on a hop; it fits between
/// any initiator's and target's sockets, and needs SystemC alone. All calls are forwarded unchanged, without a kernel
/// event and without a reference of its own. To a payload with a memory manager it attaches an ignorable extension that
/// the manager deletes with its reset().
///
/// A violation is a SystemC error of type /muster/protocol that names the hop (the module), the effective time of the
/// call, the rule and its clause, and the transaction: its object, its address and, if known, what it belongs to (see
/// transaction_name). Checked are
///
/// - the order of phases and their senders, END_REQ left out before BEGIN_RESP, early completion, what each call may
///   return, and that no phase follows the end (15.2.3, 15.2.4, 11.1.2.7);
/// - extended phases: at any time between BEGIN_REQ and the end, of no effect on the others (15.2.5);
/// - one request and one response unanswered at most (15.2.6);
/// - effective times of a transaction that never go back (15.2.7), calls of nb_transport that do not wait (11.1.2.4);
/// - b_transport and nb_transport not mixed in one transaction (15.2.10), no b_transport from a method process;
/// - attributes that conform to the standard at the request, are not changed on the way, and a response status that is
///   set at the response (14.7 to 14.17);
/// - a memory manager and a reference to every transaction in nb_transport, objects not used again before the end of
///   their transaction (14.5);
/// - at the end, that every payload with a memory manager was released as often as it was acquired (14.5), and on
///   request that every transaction was answered, see check_rest();
/// - the count that debug transport returns (11.3.4).
class protocol_checker : public sc_core::sc_module,
                         private tlm::tlm_fw_transport_if<>,
                         private tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_target_socket<> in{"in"};
  tlm::tlm_initiator_socket<> out{"out"};

  /// Whether interconnects behind the hop may translate addresses. The standard permits it (14.7), muster's own modules
  /// never do it.
  enum class addresses { stay, may_be_translated };

  explicit protocol_checker(const sc_core::sc_module_name& name, addresses a = addresses::stay);

  /// Reports payloads that were not released: their transaction has ended, and somebody still has a reference. At
  /// sc_stop() they are reported as information, as a module beyond the hop may have been about to release them. Where
  /// a simulation ends as nothing is left to do, call this after sc_start().
  ///
  /// An initiator may keep a payload of its own and send it again and again: of a payload that was sent again without
  /// having returned to its manager, only further references count. A payload whose transaction is open on another hop
  /// with a checker counts there.
  void check_releases(sc_core::sc_severity severity = sc_core::SC_ERROR) const;
  /// check_releases(), and reports transactions that have not ended. Call it when the model is at rest: when nothing is
  /// left to do, so that no response can come any more.
  void check_rest() const;

  /// Transactions that have begun and not ended, blocking ones included: at the end of a simulation, those of jobs or
  /// slices that are still in the system.
  std::size_t open_transactions() const { return open_.size(); }
  /// Transactions that have begun, blocking ones included.
  std::uint64_t transactions() const { return transactions_; }
  /// How often a phase has passed, in a call or in its return path.
  std::uint64_t count(const tlm::tlm_phase& phase) const { return phase < passed_.size() ? passed_[phase] : 0; }

 private:
  using payload = tlm::tlm_generic_payload;
  enum class stage { requested, accepted, responding, blocking };

  struct transaction {
    payload_attributes sent;
    stage at;
    sc_core::sc_time latest;
    std::uint64_t number;  // distinguishes the transaction from others of the same object
    transaction_name name;
    sc_core::sc_time begun;
  };

  /// A call that is being forwarded, as messages name it: when it returns, the object may be gone.
  struct passage {
    const payload* object;
    tlm::tlm_phase phase;
    sc_core::sc_time at, delay;
    transaction_name name;
    std::uint64_t number;  // number of the transaction; 0: none is in progress
    sc_dt::uint64 delta;
  };

  tlm::tlm_sync_enum nb_transport_fw(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_bw(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  void b_transport(payload& p, sc_core::sc_time& delay) override;
  unsigned transport_dbg(payload& p) override;
  bool get_direct_mem_ptr(payload& p, tlm::tlm_dmi& dmi) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override;
  void end_of_simulation() override { check_releases(sc_core::SC_INFO); }

  passage enter(payload& p, const tlm::tlm_phase& phase, const sc_core::sc_time& delay) const;
  void check_references(const passage& call, const payload& p) const;
  void begin(passage& call, payload& p, stage at);
  void initiator_sends(passage& call, payload& p);
  void target_sends(passage& call, const payload& p, const tlm::tlm_phase& phase);
  void end_response(const passage& call, const payload* p, const tlm::tlm_phase& phase);
  void check_response(const passage& call, const payload& p, const transaction& t) const;
  void returned(passage& call, tlm::tlm_sync_enum answer, const tlm::tlm_phase& phase, const sc_core::sc_time& delay);
  void completed_early(const passage& call, const payload& p);
  void advance(const passage& call, transaction& t) const;
  void end(const passage& call);
  transaction* find(const passage& call);
  void note(const tlm::tlm_phase& phase);
  void check(const std::optional<broken_rule>& broken, const passage& call) const;
  void violated(const broken_rule& broken, const passage& call) const;

  bool addresses_stay_;
  std::unordered_map<const payload*, transaction> open_;
  release_watch payloads_;
  std::uint64_t request_ = 0;   // number of the transaction whose request is unanswered; 0: none
  std::uint64_t response_ = 0;  // number of the transaction whose response is unanswered; 0: none
  std::uint64_t transactions_ = 0;
  std::vector<std::uint64_t> passed_;  // how often each phase has passed
};

}  // namespace muster
