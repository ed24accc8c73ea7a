#pragma once

#include <memory>
#include <utility>

#include "muster/modules/network/network_observer.h"
#include "muster/modules/server/server_observer.h"
#include "platform/metrics/instrument.h"
#include "platform/simulation/cluster_hardware.h"

namespace muster {

/// Tells the instruments of a replication what happens in its cluster. The only one that wants an event of jobs, or of
/// phases, is connected to the cluster directly; where none wants slices or edges, nobody observes them.
class event_distributor final : public job_observer,
                                private phase_observer,
                                private server_observer,
                                private network_observer {
 public:
  /// Adds an instrument. Called before connect().
  template <class Instrument>
  Instrument& add(std::unique_ptr<Instrument> added) {
    return instruments_.add(std::move(added));
  }
  instrument_list& instruments() { return instruments_; }
  /// Connects the instruments, when all are there, to the cluster. Called before the simulation. @param simulated the
  /// cluster whose observer this is
  void connect(cluster_hardware& simulated) {
    cluster_ = &simulated;
    simulated.source.observe(receiver_of<job_observer>(instruments_.job_arrives, *this, nobody_),
                             receiver_of<job_observer>(instruments_.job_completes, *this, nobody_));
    simulated.observe(receiver_of<phase_observer>(instruments_.phase_begins, *this, nobody_), nullptr,
                      instruments_.edge_occupied.empty() ? nullptr : this);
    observe_slices();
  }

  /// Disconnects all instruments, at an instant that is complete.
  void disconnect() {
    cluster_->source.observe(nobody_, nobody_);
    cluster_->observe(nobody_);
    instruments_.edge_occupied.clear();
  }

  /// Tells an instrument of slices again.
  template <class Instrument>
  void tell_slices(Instrument& one) {
    instruments_.tell_slices(one);
    observe_slices();
  }
  /// Stops telling an instrument of slices, also when called by that instrument.
  void tell_no_slices(const instrument& one) {
    instruments_.tell_no_slices(one);
    observe_slices();
  }

  void job_arrives(ticks now, const job_extension& job) override {
    tell_all(instruments_.job_arrives, &instrument::job_arrives, now, job);
  }
  void job_completes(ticks now, const job_extension& job) override {
    tell_all(instruments_.job_completes, &instrument::job_completes, now, job);
  }

 private:
  // The receiver of an event: the only instrument that wants it, or the distributor, which tells all of them.
  template <class Observer>
  static Observer& receiver_of(const instrument_list::receivers& all, Observer& distributor, Observer& nobody) {
    if (all.empty()) return nobody;
    return all.size() == 1 ? *all.front() : distributor;
  }

  // Tells from the last to the first, as one that is told may leave the list.
  static void tell(const instrument_list::receivers& all, void (instrument::*event)(ticks, const slice_view&),
                   ticks now, const slice_view& slice) {
    for (std::size_t at = all.size(); at-- > 0;) (all[at]->*event)(now, slice);
  }

  // Tells two or more, see connect(). The last one is told by a jump.
  template <class... Parameters, class... Arguments>
  static void tell_all(const instrument_list::receivers& all, void (instrument::*event)(Parameters...),
                       const Arguments&... arguments) {
    auto one = all.begin();
    const auto last = all.end() - 1;
    do ((*one)->*event)(arguments...);
    while (++one != last);
    ((*last)->*event)(arguments...);
  }

  void observe_slices() {
    if (cluster_) cluster_->observe_cores(instruments_.any_slices() ? this : nullptr);
  }
  void phase_begins(ticks now, unsigned begun) override {
    tell_all(instruments_.phase_begins, &instrument::phase_begins, now, begun);
  }
  void slice_begins(ticks now, const slice_view& slice) override {
    tell(instruments_.slice_begins, &instrument::slice_begins, now, slice);
  }
  void slice_works(ticks now, const slice_view& slice) override {
    tell(instruments_.slice_works, &instrument::slice_works, now, slice);
  }
  void slice_saves(ticks now, const slice_view& slice) override {
    tell(instruments_.slice_saves, &instrument::slice_saves, now, slice);
  }
  void slice_ends(ticks now, const slice_view& slice) override {
    tell(instruments_.slice_ends, &instrument::slice_ends, now, slice);
  }
  void edge_occupied(network_arc arc, ticks begins, ticks ends, std::uint64_t bytes) override {
    for (instrument* one : instruments_.edge_occupied) one->edge_occupied(arc, begins, ends, bytes);
  }

  instrument_list instruments_;
  instrument nobody_;
  cluster_hardware* cluster_ = nullptr;  // null: not connected yet
};

}  // namespace muster
