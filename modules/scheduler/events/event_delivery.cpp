#include "muster/modules/scheduler/events/event_delivery.h"

namespace muster {

using namespace tlm;

void event_delivery::happens(ticks at, scheduler_event kind, tlm_generic_payload& p) {
  if (at > time_.now())
    happens_as_timer(at, kind, p);
  else if (undisturbed())
    to_->happens(kind, &p);
  else
    happens_afterwards(kind, p);
}

// Lets an event happen when the calls or stops that are under way have been made.
void event_delivery::happens_afterwards(scheduler_event kind, tlm_generic_payload& p) {
  if (stopping_)
    during_stop_.push_back({kind, &p});
  else
    happens_as_timer(time_.now(), kind, p);
}

void event_delivery::end_stopping() {
  stopping_ = false;
  for (const event& e : during_stop_) {
    if (e.kind == scheduler_event::slice_ends)
      to_->slice_ends(*e.transaction);
    else
      to_->happens(e.kind, e.transaction);
  }
  during_stop_.clear();
}

}  // namespace muster
