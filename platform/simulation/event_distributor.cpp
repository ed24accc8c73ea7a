#include "platform/simulation/event_distributor.h"

#include "platform/simulation/cluster.h"

namespace muster {

namespace {

/// The receiver of an event: the only instrument that wants it, or the distributor, which tells all of them.
template <class Observer>
Observer& receiver_of(const instrument_list::receivers& all, Observer& distributor, Observer& nobody) {
  if (all.empty()) return nobody;
  return all.size() == 1 ? *all.front() : distributor;
}

}  // namespace

void event_distributor::connect(cluster& simulated) {
  cluster_ = &simulated;
  simulated.source.observe(receiver_of<job_observer>(instruments_.job_arrives, *this, nobody_),
                           receiver_of<job_observer>(instruments_.job_completes, *this, nobody_));
  simulated.observe(receiver_of<phase_observer>(instruments_.phase_begins, *this, nobody_), nullptr,
                    instruments_.edge_occupied.empty() ? nullptr : this);
  observe_slices();
}

void event_distributor::observe_slices() {
  if (cluster_) cluster_->observe_cores(instruments_.any_slices() ? this : nullptr);
}

}  // namespace muster
