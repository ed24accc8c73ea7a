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
  void connect(cluster_hardware& simulated);

  /// Disconnects all instruments, at an instant that is complete.
  void disconnect();

  /// Tells an instrument of slices again.
  template <class Instrument>
  void tell_slices(Instrument& one) {
    instruments_.tell_slices(one);
    observe_slices();
  }
  /// Stops telling an instrument of slices, also when called by that instrument.
  void tell_no_slices(const instrument& one);

  void job_arrives(ticks now, const job_extension& job) override;
  void job_completes(ticks now, const job_extension& job) override;

 private:
  void observe_slices();
  void phase_begins(ticks now, unsigned begun) override;
  void slice_begins(ticks now, const slice_view& slice) override;
  void slice_works(ticks now, const slice_view& slice) override;
  void slice_saves(ticks now, const slice_view& slice) override;
  void slice_ends(ticks now, const slice_view& slice) override;
  void edge_occupied(network_arc arc, ticks begins, ticks ends, std::uint64_t bytes) override;

  instrument_list instruments_;
  instrument nobody_;
  cluster_hardware* cluster_ = nullptr;  // null: not connected yet
};

}  // namespace muster
