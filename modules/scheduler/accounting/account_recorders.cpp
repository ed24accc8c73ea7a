#include "muster/modules/scheduler/accounting/account_recorders.h"

namespace muster {

using namespace tlm;

void service_recorder::happens(scheduler_event kind, tlm_generic_payload* transaction) {
  if (kind == scheduler_event::job_arrives) {
    job_arrives(job_of(*transaction));
  } else if (kind == scheduler_event::slice_ends) {
    slice_ends(*transaction);
  } else if (kind == scheduler_event::health_changes) {
    const group_id group = dispatch_port::slice(*transaction).group;
    service_.happens(kind, transaction);
    account_.free_cores_change(group);
    account_.event_is_processed(time_.now());
  } else {
    if (kind == scheduler_event::others_change) account_.all_free_cores_change();
    service_.happens(kind, transaction);
    account_.event_is_processed(time_.now());
  }
}

void service_recorder::job_arrives(job_extension& j) {
  const ticks now = time_.now();
  if (port_) account_.arrives(j);
  account_.arrival_is_processed(now, j);
  service_.job_arrives(j);
  account_.event_is_processed(now);
}

// Reads the slice before the service gives its transaction back, and that of a job that has left.
void service_recorder::slice_ends(tlm_generic_payload& p) {
  const slice_extension& s = dispatch_port::slice(p);
  const group_id group = s.group;
  const ticks now = time_.now();
  account_.response_is_processed(now, s);
  service_.slice_ends(p);
  account_.free_cores_change(group);
  account_.event_is_processed(now);
}

void service_recorder::send(tlm_generic_payload& slice) {
  if (port_) {
    account_.slice_is_ordered(time_.now(), dispatch_port::slice(slice), slice_stage::outbound);
    port_->send_slice(slice);
  } else {
    account_.slice_is_ordered(time_.now(), dispatch_port::slice(slice), slice_stage::ordered);
    slices_->send(slice);
  }
}

void port_recorder::happens(scheduler_event kind, tlm_generic_payload* transaction) {
  if (kind == scheduler_event::job_arrives) account_.arrives(job_of(*transaction));
  if (kind == scheduler_event::slice_ends) account_.response_comes(time_.now(), dispatch_port::slice(*transaction));
  events_->happens(kind, transaction);
}

void port_recorder::send(tlm_generic_payload& order) {
  const slice_extension& s = dispatch_port::slice(order);
  if (s.asks == slice_extension::request::slice) account_.slice_is_sent(time_.now(), s);
  ports_.send(order);
}

}  // namespace muster
