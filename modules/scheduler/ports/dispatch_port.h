#pragma once

#include <vector>

#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <systemc>
#include <tlm>

#include "muster/modules/kernel/transaction_pool.h"
#include "muster/modules/protocol/direct_interface.h"
#include "muster/modules/protocol/handshake.h"
#include "muster/modules/scheduler/allocation/server_group.h"
#include "muster/modules/scheduler/events/event_delivery.h"
#include "muster/modules/scheduler/ports/server_requests.h"

namespace muster {

/// The scheduler's side towards its servers: sends slices, stops and watches. Their responses come in as events,
/// delivered as event_delivery says.
class dispatch_port final : public order_sink {
 public:
  /// @param sockets the scheduler's, named in messages
  /// @param locations outlives the port
  dispatch_port(const sc_core::sc_object& sockets, timekeeper& time, deferred_events& deferred,
                const table<group_id, server_group>& groups, const table<group_id, group_location>& locations);

  /// Adds a bank of servers, in their order. Called at the end of elaboration. @param transport to the bank
  void bind(tlm::tlm_fw_transport_if<>& transport) { hops_.emplace_back(*this, transport); }
  /// Sets who receives the events. Called before the end of elaboration.
  /// @param waits whether events wait for their turn there, so that one may come at any time
  void deliver_to(event_observer& to, bool waits) { events_.deliver_to(to, waits); }
  /// Calls banks directly from now on where that is possible, see direct_interface.h. Called before the simulation.
  void go_direct();
  /// Makes slice_saving an event; otherwise it is ignored.
  void report_saving() { reports_saving_ = true; }

  /// The transaction of a slice, ready to be sent.
  tlm::tlm_generic_payload& slice_of(job_extension& j, const placement& at, ticks duration);
  /// The transaction of a stop, which ends a slice before its time.
  /// @param how server_register::stop or server_register::release
  tlm::tlm_generic_payload& stop_of(slice_extension& slice, std::uint64_t how) { return requests_.stop_of(slice, how); }
  void send(tlm::tlm_generic_payload& order) override;
  /// Sends the transaction of a slice, as send() does.
  void send_slice(tlm::tlm_generic_payload& p);
  /// Sends the stop of a slice now; where the bank can be called directly, there is no transaction.
  /// @param how as stop_of() takes it
  void stop(slice_extension& slice, std::uint64_t how);
  void begin_service(job_extension& j) override { j.started = time_.now(); }
  /// Gives the transaction of a slice back, as the end of the slice has been processed.
  void end(tlm::tlm_generic_payload& p) {
    if (hop_of(p).direct())
      slices_.give_back(p);
    else
      p.release();
  }
  /// Releases the transaction of a slice, as its slice_saving has been processed.
  void end_saving(tlm::tlm_generic_payload& p) {
    if (!hop_of(p).direct()) p.release();
  }
  /// Asks a server to answer when it fails (or has been repaired). The event health_changes will happen then.
  void watch(group_id group, std::uint32_t server, slice_extension::request change) {
    send(requests_.watch_of(group, server, change));
  }

  /// Calls `send_stops`, which sends stops. Events that they bring about happen when all have been sent.
  template <class Send>
  void stop_together(Send send_stops) {
    events_.stop_together(send_stops);
  }

  /// Receives what a server sends, see nb_transport_bw.
  tlm::tlm_sync_enum receive(int from, tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return hops_[static_cast<std::size_t>(from)].receive(p, phase, delay);
  }

  static slice_extension& slice(tlm::tlm_generic_payload& p) { return transaction_pool<slice_extension>::extension(p); }
  /// Whether a call to a server has not returned: the policy may be at work.
  bool calling() const { return events_.calling(); }
  std::uint64_t slices_sent() const { return slices_sent_; }
  /// Transactions of slices and stops that have not returned to their pool.
  std::size_t outstanding() const { return slices_.outstanding() + requests_.stops(); }
  /// Reads that wait for servers to fail, or to be repaired.
  std::size_t watches() const { return requests_.watches(); }

 private:
  /// The hop to a bank of servers.
  class hop final : private slice_observer, private initiator_hop<hop> {
   public:
    hop(dispatch_port& port, tlm::tlm_fw_transport_if<>& transport) : port_(&port), transport_(&transport) {}
    void send(payload& p) { send_request(p); }
    void go_direct();
    /// The direct interface of the bank; null: requests and responses go over the hop.
    direct_servers* direct() const { return direct_; }
    tlm::tlm_sync_enum receive(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
      return receive_answer(p, phase, delay);
    }

   private:
    friend initiator_hop<hop>;
    tlm::tlm_sync_enum call(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
      const event_delivery::server_call under_way(port_->events_);
      return transport_->nb_transport_fw(p, phase, delay);
    }
    sc_core::sc_time lead() const { return port_->time_.lead(); }
    bool in_progress(payload& p) const { return port_->in_progress(p) && &port_->hop_of(p) == this; }
    void responds(payload& p, const sc_core::sc_time& delay) { port_->responds(p, delay); }
    void responds_at_once(payload& p, tlm::tlm_sync_enum answer, const sc_core::sc_time& delay) {
      port_->responds_at_once(p, answer, delay);
    }
    /// @name Called by the bank directly
    /// @{
    void slice_moves_on(payload& p, const tlm::tlm_phase& phase) override {
      if (phase == slice_saving) port_->saves(p, port_->time_.now());
    }
    [[gnu::flatten]] void slice_ended(payload& p, bool told) override;
    /// @}
    tlm::tlm_sync_enum extended(payload& p, tlm::tlm_phase& phase, const sc_core::sc_time& delay);
    [[noreturn, gnu::cold, gnu::noinline]] void violated(const broken_rule& broken, const tlm::tlm_phase& phase,
                                                         const payload& p) const;
    [[gnu::noinline]] void wait_to_end(payload& p) { end_.push_back(&p); }
    [[gnu::noinline]] void end_waiting();

    dispatch_port* port_;
    tlm::tlm_fw_transport_if<>* transport_;
    direct_servers* direct_ = nullptr;
    // The end of a slice is processed before the next one that the bank reports directly: the order that the exclusion
    // rule gives over the hop.
    bool ending_ = false;
    std::vector<payload*> end_;  // slices whose ends wait to be processed
  };
  /// The way to a group's servers: the part of its location that is read for every slice.
  struct route {
    hop* over;
    std::uint32_t first_in_bank;
  };
  [[gnu::noinline]] void send_over(hop& h, tlm::tlm_generic_payload& p);
  [[gnu::noinline]] void refused_directly(tlm::tlm_generic_payload& p);
  void saves(tlm::tlm_generic_payload& p, ticks at);
  hop& hop_of(tlm::tlm_generic_payload& p) { return *routes_[slice(p).group].over; }
  bool in_progress(const tlm::tlm_generic_payload& p) const {
    return slices_.in_progress(p) || requests_.in_progress(p);
  }
  void responds(tlm::tlm_generic_payload& p, const sc_core::sc_time& delay);
  [[gnu::noinline]] void responds_at_once(tlm::tlm_generic_payload& p, tlm::tlm_sync_enum answer,
                                          const sc_core::sc_time& delay);
  void check_response(const tlm::tlm_generic_payload& p, const char* outcome) const {
    if (p.is_response_error()) refused(p, outcome);
  }
  [[gnu::cold, gnu::noinline]] void refused(const tlm::tlm_generic_payload& p, const char* outcome) const;

  const sc_core::sc_object& sockets_;
  timekeeper& time_;
  event_delivery events_;
  const table<group_id, server_group>& groups_;
  const table<group_id, group_location>& locations_;
  transaction_pool<slice_extension> slices_;
  server_requests requests_;
  std::vector<hop> hops_;  // one for each bank; they keep their addresses once all are bound
  table<group_id, route> routes_;
  bool reports_saving_ = false;
  std::uint64_t slices_sent_ = 0;
};

}  // namespace muster
