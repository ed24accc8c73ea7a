#pragma once

#include "muster/modules/scheduler/scheduler_event.h"
#include "muster/modules/scheduler/time_account.h"

namespace muster {

/// Between the rest of a scheduler and its service, in both directions, where times are accounted for: tells the
/// account which events the service processes, and what it orders.
class service_tap final : public event_sink, public order_sink {
 public:
  /// @param service receives the events
  /// @param at_ports nothing takes time between the ports and the tap
  service_tap(time_account& account, event_sink& service, bool at_ports)
      : account_(account), service_(service), at_ports_(at_ports) {}
  /// Before the simulation. @param orders receives the orders
  void connect(order_sink& orders) { orders_ = &orders; }

  void happens(scheduler_event what, tlm::tlm_generic_payload* transaction) override;
  void job_arrives(job_extension& j) override;
  void slice_ends(tlm::tlm_generic_payload& slice) override;
  void send(tlm::tlm_generic_payload& order) override;
  void begin_service(job_extension& j) override { orders_->begin_service(j); }
  bool slot_waits() const override { return orders_->slot_waits(); }
  void forget_deadline(const job_extension& j) override { orders_->forget_deadline(j); }

 private:
  time_account& account_;
  event_sink& service_;
  bool at_ports_;
  order_sink* orders_ = nullptr;
};

/// Where events and orders wait for decisions, between the ports and the queue: tells the account what reaches the
/// scheduler, and what leaves it.
class port_tap final : public event_sink, public order_sink {
 public:
  /// @param ports receive the orders
  port_tap(time_account& account, order_sink& ports) : account_(account), ports_(ports) {}
  /// Before the simulation. @param events receives the events
  void connect(event_sink& events) { events_ = &events; }

  void happens(scheduler_event what, tlm::tlm_generic_payload* transaction) override;
  void send(tlm::tlm_generic_payload& order) override;
  void begin_service(job_extension& j) override { ports_.begin_service(j); }

 private:
  time_account& account_;
  order_sink& ports_;
  event_sink* events_ = nullptr;
};

}  // namespace muster
