#include "muster/modules/scheduler/events/event_delivery.h"

namespace muster {

using namespace tlm;

void event_delivery::happens(ticks at, scheduler_event what, tlm_generic_payload& p) {
  if (at > time_.now())
    happens_as_timer(at, what, p);
  else if (undisturbed())
    to_->happens(what, &p);
  else
    happens_afterwards(what, p);
}

// When what is under way has been done.
void event_delivery::happens_afterwards(scheduler_event what, tlm_generic_payload& p) {
  if (stopping_)
    during_stop_.push_back({what, &p});
  else
    happens_as_timer(time_.now(), what, p);
}

void event_delivery::end_stopping() {
  stopping_ = false;
  for (const event& e : during_stop_) {
    if (e.what == scheduler_event::slice_ends)
      to_->slice_ends(*e.transaction);
    else
      to_->happens(e.what, e.transaction);
  }
  during_stop_.clear();
}

}  // namespace muster
