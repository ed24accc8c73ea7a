#include "platform/simulation/event_distributor.h"

namespace muster {
namespace {

// The receiver of an event: the only instrument that wants it, or the distributor, which tells all of them.
template <class Observer>
Observer& receiver_of(const instrument_list::receivers& all, Observer& distributor, Observer& nobody) {
  if (all.empty()) return nobody;
  return all.size() == 1 ? *all.front() : distributor;
}

// Tells from the last to the first, as one that is told may leave the list.
void tell(const instrument_list::receivers& all, void (instrument::*event)(ticks, const slice_view&), ticks now,
          const slice_view& slice) {
  for (std::size_t at = all.size(); at-- > 0;) (all[at]->*event)(now, slice);
}

// Tells two or more, see connect(). The last one is told by a jump.
template <class... Parameters, class... Arguments>
void tell_all(const instrument_list::receivers& all, void (instrument::*event)(Parameters...),
              const Arguments&... arguments) {
  auto one = all.begin();
  const auto last = all.end() - 1;
  do ((*one)->*event)(arguments...);
  while (++one != last);
  ((*last)->*event)(arguments...);
}

}  // namespace

void event_distributor::connect(cluster_hardware& simulated) {
  cluster_ = &simulated;
  simulated.source.observe(receiver_of<job_observer>(instruments_.job_arrives, *this, nobody_),
                           receiver_of<job_observer>(instruments_.job_completes, *this, nobody_));
  simulated.observe(receiver_of<phase_observer>(instruments_.phase_begins, *this, nobody_), nullptr,
                    instruments_.edge_occupied.empty() ? nullptr : this);
  observe_slices();
}

void event_distributor::disconnect() {
  cluster_->source.observe(nobody_, nobody_);
  cluster_->observe(nobody_);
  instruments_.edge_occupied.clear();
}

void event_distributor::tell_no_slices(const instrument& one) {
  instruments_.tell_no_slices(one);
  observe_slices();
}

void event_distributor::job_arrives(ticks now, const job_extension& job) {
  tell_all(instruments_.job_arrives, &instrument::job_arrives, now, job);
}

void event_distributor::job_completes(ticks now, const job_extension& job) {
  tell_all(instruments_.job_completes, &instrument::job_completes, now, job);
}

void event_distributor::observe_slices() {
  if (cluster_) cluster_->observe_cores(instruments_.any_slices() ? this : nullptr);
}

void event_distributor::phase_begins(ticks now, unsigned begun) {
  tell_all(instruments_.phase_begins, &instrument::phase_begins, now, begun);
}

void event_distributor::slice_begins(ticks now, const slice_view& slice) {
  tell(instruments_.slice_begins, &instrument::slice_begins, now, slice);
}

void event_distributor::slice_works(ticks now, const slice_view& slice) {
  tell(instruments_.slice_works, &instrument::slice_works, now, slice);
}

void event_distributor::slice_saves(ticks now, const slice_view& slice) {
  tell(instruments_.slice_saves, &instrument::slice_saves, now, slice);
}

void event_distributor::slice_ends(ticks now, const slice_view& slice) {
  tell(instruments_.slice_ends, &instrument::slice_ends, now, slice);
}

void event_distributor::edge_occupied(network_arc arc, ticks begins, ticks ends, std::uint64_t bytes) {
  for (instrument* one : instruments_.edge_occupied) one->edge_occupied(arc, begins, ends, bytes);
}

}  // namespace muster
