#pragma once

#include <algorithm>
#include <vector>

#include <boost/circular_buffer.hpp>

#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/scheduler/events/scheduler_event.h"
#include "muster/policies/cluster_state.h"

namespace muster {

/// What the policy has examined during an event; the time that its decision takes depends on it.
struct examination {
  bool asked = false;                   ///< whether a function of the policy has been called
  std::uint64_t handed_out_before = 0;  ///< jobs that the view had returned before that call
  std::uint64_t served = 0;             ///< jobs that have core time in the slot that begins
};

/// Models the time that decisions take: events are processed one at a time, in the order in which they reach the
/// scheduler. The orders of an event are sent when the time of its decision has passed, and slices when they have been
/// dispatched one after the other; other events wait meanwhile. The queue also counts for how long jobs hold something,
/// as it knows when slices are sent and when responses come.
///
/// A decision queue is placed between the ports and the service, in both directions, only where decisions take time.
class decision_queue final : public event_observer, public order_sink, private timer_observer {
 public:
  struct durations {
    ticks fixed = 0;    ///< for an event at which the policy is called
    ticks per_job = 0;  ///< for each job that the policy examines
    /// For each slice that is dispatched, one after the other behind the decision. Slices of one job that follow each
    /// other are sent together, when the time of all of them has passed.
    ticks per_dispatch = 0;
  };

  /// @param service receives the events
  /// @param servers takes the orders
  decision_queue(timekeeper& time, const durations& takes, const cluster_state& state, examination& examined,
                 event_observer& service, order_sink& servers);

  void happens(scheduler_event kind, tlm::tlm_generic_payload* transaction) override;
  void send(tlm::tlm_generic_payload& order) override { orders_.push_back(&order); }
  void begin_service(job_extension& j) override {
    j.started = time_.now();
    begun_.push_back(&j);
  }
  bool slot_waits() const override;
  void forget_deadline(const job_extension& j) override;

  /// Jobs whose arrival has not been processed.
  std::vector<const job_extension*> waiting_arrivals() const;
  /// Transactions that no server has: orders that have not been sent, and responses that have not been processed.
  std::size_t pending_transactions() const;

 private:
  struct event {
    scheduler_event kind;
    tlm::tlm_generic_payload* transaction;
  };
  void process_next();
  tick_sum decide(const event& e);
  void begin_jobs();
  /// @return whether all has been sent; otherwise a timer is armed for the next dispatch
  bool send_orders();
  void send_order(tlm::tlm_generic_payload& order);
  std::size_t sent_together() const;
  void wait(tick_sum duration) {
    time_.arm(time_.now() + static_cast<ticks>(std::min<tick_sum>(duration, end_of_clock)), time_.travel_rank(), *this,
              0);
  }
  void expired(ticks now, std::uint32_t cookie) override;

  timekeeper& time_;
  durations takes_;
  const cluster_state& state_;
  examination& examined_;
  event_observer& service_;
  order_sink& servers_;
  bool busy_ = false;
  boost::circular_buffer<event> waiting_;
  std::vector<job_extension*> begun_;              // jobs that begin service with the latest decision
  std::vector<tlm::tlm_generic_payload*> orders_;  // orders of the latest decision
  std::size_t sent_ = 0;                           // orders_ that have been sent
  bool dispatching_ = false;                       // the time of the next of them passes, or has passed
};

}  // namespace muster
