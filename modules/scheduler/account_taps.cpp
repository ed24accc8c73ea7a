#include "muster/modules/scheduler/account_taps.h"

#include "muster/modules/scheduler/dispatch_port.h"

namespace muster {

using namespace tlm;

namespace {

bool is_slice(const slice_extension& s) { return s.asks == slice_extension::request::slice; }

}  // namespace

void service_tap::happens(scheduler_event what, tlm_generic_payload* transaction) {
  if (what == scheduler_event::job_arrives) {
    job_arrives(job_of(*transaction));
  } else if (what == scheduler_event::slice_ends) {
    slice_ends(*transaction);
  } else if (what == scheduler_event::health_changes) {
    const group_id group = dispatch_port::slice(*transaction).group;
    service_.happens(what, transaction);
    account_.free_cores_change(group);
    account_.event_is_processed();
  } else {
    service_.happens(what, transaction);
    account_.event_is_processed();
  }
}

void service_tap::job_arrives(job_extension& j) {
  if (at_ports_) account_.arrives(j);
  account_.arrival_is_processed(j);
  service_.job_arrives(j);
  account_.event_is_processed();
}

// The service gives the transaction back, and a job that has left.
void service_tap::slice_ends(tlm_generic_payload& p) {
  const slice_extension& s = dispatch_port::slice(p);
  const group_id group = s.group;
  account_.response_is_processed(s);
  service_.slice_ends(p);
  account_.free_cores_change(group);
  account_.event_is_processed();
}

void service_tap::send(tlm_generic_payload& order) {
  if (const slice_extension& s = dispatch_port::slice(order); is_slice(s))
    account_.slice_is_ordered(s, at_ports_ ? slice_stage::outbound : slice_stage::ordered);
  orders_->send(order);
}

void port_tap::happens(scheduler_event what, tlm_generic_payload* transaction) {
  if (what == scheduler_event::job_arrives) account_.arrives(job_of(*transaction));
  if (what == scheduler_event::slice_ends) account_.response_comes(dispatch_port::slice(*transaction));
  events_->happens(what, transaction);
}

void port_tap::send(tlm_generic_payload& order) {
  if (const slice_extension& s = dispatch_port::slice(order); is_slice(s)) account_.slice_is_sent(s);
  ports_.send(order);
}

}  // namespace muster
