#pragma once

#include <vector>

#include "muster/modules/scheduler/events/deferred_events.h"

namespace muster {

/// Delivers the events that servers bring about.
///
/// An event that comes from within a call to a server, where the policy may be at work, happens after the call: at the
/// same instant, as a timer. An event that comes while slices of a job are being stopped happens when all have been.
class event_delivery {
 public:
  event_delivery(timekeeper& time, deferred_events& deferred) : time_(time), deferred_(deferred) {}

  /// Sets who receives the events.
  /// @param waits whether events wait for their turn there, so that one may come at any time
  void deliver_to(event_observer& to, bool waits) {
    to_ = &to;
    events_wait_ = waits;
  }

  /// A guard that marks a call to a server as under way, from its construction to its destruction.
  class server_call {
   public:
    explicit server_call(event_delivery& events) : events_(events) { ++events_.calls_; }
    ~server_call() { --events_.calls_; }
    server_call(const server_call&) = delete;
    server_call& operator=(const server_call&) = delete;

   private:
    event_delivery& events_;
  };
  /// Whether a call to a server has not returned.
  bool calling() const { return calls_ > 0; }

  /// Calls `send_stops`, which sends stops. Events that they bring about happen when all have been sent.
  template <class Send>
  void stop_together(Send send_stops) {
    stopping_ = true;
    send_stops();
    end_stopping();
  }

  /// Delivers the end of a slice, which has ended now.
  void slice_ends(tlm::tlm_generic_payload& p) {
    if (undisturbed())
      to_->slice_ends(p);
    else
      happens_afterwards(scheduler_event::slice_ends, p);
  }
  /// Delivers an event. @param at when it takes effect
  void happens(ticks at, scheduler_event kind, tlm::tlm_generic_payload& p);
  /// Delivers an event as a timer, in any case. @param at when it takes effect
  void happens_as_timer(ticks at, scheduler_event kind, tlm::tlm_generic_payload& p) {
    deferred_.defer(at, *to_, kind, p);
  }

 private:
  struct event {
    scheduler_event kind;
    tlm::tlm_generic_payload* transaction;
  };

  /// Whether an event may happen at once.
  bool undisturbed() const { return (calls_ == 0 && !stopping_) || events_wait_; }
  [[gnu::noinline]] void happens_afterwards(scheduler_event kind, tlm::tlm_generic_payload& p);
  void end_stopping();

  timekeeper& time_;
  deferred_events& deferred_;
  event_observer* to_ = nullptr;
  unsigned calls_ = 0;  // calls to servers that have not returned
  bool stopping_ = false;
  bool events_wait_ = false;
  std::vector<event> during_stop_;
};

}  // namespace muster
