#pragma once

#include <cstdint>
#include <vector>

#include "muster/modules/scheduler/events/phase_observer.h"
#include "muster/modules/source/job_observer.h"

namespace muster {

class cluster_view;
struct replication_result;
struct slice_view;

/// Observes a replication and adds what it has found to the result. Every function does nothing here: a class overrides
/// those of the events that it wants. Other events of jobs, phases, slices and edges are not told to it, see
/// instrument_list.
class instrument : public job_observer, public phase_observer {
 public:
  instrument() = default;
  instrument(const instrument&) = delete;
  instrument& operator=(const instrument&) = delete;
  virtual ~instrument() = default;

  /// The window of measurement begins: behind the last completion of the warm-up, or before the simulation.
  virtual void window_opens(ticks) {}
  /// The window ends, with the completion that was the last one to be told.
  virtual void window_closes(ticks) {}
  /// The window has ended for all instruments.
  virtual void add_to(replication_result&) {}
  /// The simulation has ended: the instant at which the window ended is complete.
  /// @param jobs in the system then @param slices that hold cores then
  virtual void simulation_ends(ticks, [[maybe_unused]] const cluster_view& jobs,
                               [[maybe_unused]] const std::vector<slice_view>& slices) {}

  void job_arrives(ticks, const job_extension&) override {}
  void job_completes(ticks, const job_extension&) override {}
  void phase_begins(ticks, unsigned) override {}
  /// @name As of a server_observer
  /// @{
  virtual void slice_begins(ticks, const slice_view&) {}
  virtual void slice_works(ticks, const slice_view&) {}
  virtual void slice_saves(ticks, const slice_view&) {}
  virtual void slice_ends(ticks, const slice_view&) {}
  /// @}
  /// As of a network_observer.
  virtual void edge_occupied([[maybe_unused]] std::uint32_t arc, [[maybe_unused]] ticks begins,
                             [[maybe_unused]] ticks ends, [[maybe_unused]] std::uint64_t bytes) {}
};

}  // namespace muster
