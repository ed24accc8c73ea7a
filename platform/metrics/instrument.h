#pragma once

#include <cstdint>
#include <vector>

#include "muster/modules/scheduler/events/phase_observer.h"
#include "muster/modules/source/job_observer.h"

namespace muster {

class cluster_view;
struct replication_result;
struct slice_view;

/// Observes a replication and adds to its result. The functions do nothing here: a class overrides those of the events
/// that it wants, and is told of no other events of jobs, phases, slices and edges, see instrument_list.
class instrument : public job_observer, public phase_observer {
 public:
  instrument() = default;
  instrument(const instrument&) = delete;
  instrument& operator=(const instrument&) = delete;
  virtual ~instrument() = default;

  /// Called when the window of measurement begins: behind the last completion of the warm-up, or before the simulation.
  virtual void window_opens(ticks) {}
  /// Called when the window ends, with the latest completion.
  virtual void window_closes(ticks) {}
  /// Adds to the result. The window has ended for all instruments.
  virtual void add_to(replication_result&) {}
  /// Called when the simulation has ended: the instant at which the window ended is complete.
  /// @param jobs in the system then @param slices that hold cores then
  virtual void simulation_ends(ticks, [[maybe_unused]] const cluster_view& jobs,
                               [[maybe_unused]] const std::vector<slice_view>& slices) {}

  void job_arrives(ticks, const job_extension&) override {}
  void job_completes(ticks, const job_extension&) override {}
  void phase_begins(ticks, unsigned) override {}
  /// @name Events of a server_observer
  /// @{
  virtual void slice_begins(ticks, const slice_view&) {}
  virtual void slice_works(ticks, const slice_view&) {}
  virtual void slice_saves(ticks, const slice_view&) {}
  virtual void slice_ends(ticks, const slice_view&) {}
  /// @}
  /// The event of a network_observer.
  virtual void edge_occupied([[maybe_unused]] std::uint32_t arc, [[maybe_unused]] ticks begins,
                             [[maybe_unused]] ticks ends, [[maybe_unused]] std::uint64_t bytes) {}
};

}  // namespace muster
