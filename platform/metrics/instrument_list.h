#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "platform/metrics/instrument.h"

namespace muster {

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
  template <class Instrument>
  void tell_slices(Instrument& one) {
    enter(slice_begins, one, &Instrument::slice_begins);
    enter(slice_works, one, &Instrument::slice_works);
    enter(slice_saves, one, &Instrument::slice_saves);
    enter(slice_ends, one, &Instrument::slice_ends);
  }
  /// Reverses tell_slices().
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
