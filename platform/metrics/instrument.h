#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
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

  /// Called when the window of measurement begins: behind the last completion of the warm-up (of a list or log:
  /// with the first arrival that is measured), or before the simulation.
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

/// The instruments of a replication, and for each event those whose classes override its function; the others are never
/// called for it. Instruments are told in the order in which they were added.
class instrument_list {
 public:
  using receivers = std::vector<instrument*>;

  template <class Instrument>
  Instrument& add(std::unique_ptr<Instrument> added) {
    Instrument& one = *added;
    enter(job_arrives, one, &Instrument::job_arrives);
    enter(job_completes, one, &Instrument::job_completes);
    enter(phase_begins, one, &Instrument::phase_begins);
    enter(edge_occupied, one, &Instrument::edge_occupied);
    tell_slices(one);
    all.push_back(std::move(added));
    return one;
  }
  /// Tells an instrument of the events of slices that its class overrides.
  template <class Instrument>
  void tell_slices(Instrument& one) {
    enter(slice_begins, one, &Instrument::slice_begins);
    enter(slice_works, one, &Instrument::slice_works);
    enter(slice_saves, one, &Instrument::slice_saves);
    enter(slice_ends, one, &Instrument::slice_ends);
  }
  /// Stops telling an instrument of slices.
  void tell_no_slices(const instrument& one) {
    for (receivers* const of : {&slice_begins, &slice_works, &slice_saves, &slice_ends})
      of->erase(std::remove(of->begin(), of->end(), &one), of->end());
  }
  bool any_slices() const {
    return !(slice_begins.empty() && slice_works.empty() && slice_saves.empty() && slice_ends.empty());
  }

  std::vector<std::unique_ptr<instrument>> all;
  receivers job_arrives, job_completes, phase_begins, slice_begins, slice_works, slice_saves, slice_ends, edge_occupied;

 private:
  // A member function belongs to the class that overrides it last.
  template <class Overriding, class... Parameters>
  static void enter(receivers& of, instrument& one, void (Overriding::*)(Parameters...)) {
    if constexpr (!std::is_same_v<Overriding, instrument>) of.push_back(&one);
  }
};

}  // namespace muster
