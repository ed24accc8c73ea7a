#pragma once

#include "muster/modules/scheduler/accounting/time_account.h"
#include "muster/modules/scheduler/events/scheduler_event.h"
#include "muster/modules/scheduler/ports/dispatch_port.h"

namespace muster {

/// Tells the account which events the service processes, and which slices it dispatches. It stands between the service
/// and the rest of the scheduler, in both directions, where times are accounted for.
class service_recorder final : public event_observer, public slice_sink {
 public:
  /// @param service receives the events
  /// @param port takes the slices where nothing takes time on the way; null: decisions take time
  service_recorder(const timekeeper& time, time_account& account, event_observer& service, dispatch_port* port)
      : time_(time), account_(account), service_(service), port_(port) {}
  /// Sets where the slices go. Called before the simulation.
  void connect(slice_sink& slices) { slices_ = &slices; }

  void happens(scheduler_event kind, tlm::tlm_generic_payload* transaction) override;
  [[gnu::flatten]] void job_arrives(job_extension& j) override;
  [[gnu::flatten]] void slice_ends(tlm::tlm_generic_payload& slice) override;
  [[gnu::flatten]] void send(tlm::tlm_generic_payload& slice) override;

 private:
  const timekeeper& time_;
  time_account& account_;
  event_observer& service_;
  dispatch_port* port_;
  slice_sink* slices_ = nullptr;
};

/// Tells the account what reaches the scheduler, and what leaves it. It stands between the ports and the queue, where
/// events and orders wait for decisions.
class port_recorder final : public event_observer, public order_sink {
 public:
  /// @param ports take the orders
  port_recorder(const timekeeper& time, time_account& account, order_sink& ports)
      : time_(time), account_(account), ports_(ports) {}
  /// Sets where the events go. Called before the simulation.
  void connect(event_observer& events) { events_ = &events; }

  void happens(scheduler_event kind, tlm::tlm_generic_payload* transaction) override;
  void send(tlm::tlm_generic_payload& order) override;
  void begin_service(job_extension& j) override { ports_.begin_service(j); }

 private:
  const timekeeper& time_;
  time_account& account_;
  order_sink& ports_;
  event_observer* events_ = nullptr;
};

}  // namespace muster
