#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "platform/metrics/metric.h"
#include "platform/model/class_table.h"
#include "platform/model/scenario.h"
#include "platform/simulation/cluster.h"
#include "platform/simulation/event_distributor.h"
#include "platform/simulation/job_statistics.h"
#include "platform/simulation/replication.h"

namespace muster {

class batch_sequences;
class window_parts;

/// A replication as its instruments see it. All that it refers to outlives them.
struct observed_replication {
  const scenario& point;
  std::uint32_t number;
  const watching& watch;
  cluster& simulated;
  event_distributor& events;
  job_statistics& jobs;
  /// @name Records of some instruments for others, once they are added; null: not kept
  /// @{
  const batch_sequences* batches = nullptr;
  const window_parts* parts = nullptr;
  /// @}
  const std::vector<std::size_t> order = by_descending_need(point);  ///< positions in point.classes, by class_id

  id_range<class_id> classes() const { return id_range<class_id>{order.size()}; }
  const class_spec& class_of(class_id id) const { return point.classes[order[static_cast<std::size_t>(id)]]; }

  template <class Instrument, class... Arguments>
  Instrument& add(Arguments&&... arguments) {
    return events.add(std::make_unique<Instrument>(std::forward<Arguments>(arguments)...));
  }
  bool measures(const char* metric) const { return find_metric(metric)->measured.holds(point); }
  /// Whether this is the replication of its point whose pictures are drawn.
  bool is_drawn() const { return watch.pictures && number == 0; }
  /// The length of the window of measurement, in units of time, once it has closed.
  double window() const { return point.unit.to_units(jobs.window_end() - jobs.window_begin()); }
};

/// The order in which instruments are told of events and add their rows to the result.
enum class instrument_order : std::uint8_t {
  job_times,  ///< completes the times of a job that leaves, which other instruments read
  class_rows,
  core_rows,
  power_rows,
  cost_rows,
  class_mean_rows,
  optimum_rows,
  others
};

/// An instrument as the catalogue has it: what is called NAME_instrument in platform/simulation/instruments/NAME.cpp.
struct instrument_entry {
  instrument_order order;
  /// Adds the instrument to a replication that wants it.
  void (*add_to)(observed_replication& replication);
};

/// All instruments that a replication may have beside its job_statistics, in their order.
const std::vector<const instrument_entry*>& instrument_catalogue();

}  // namespace muster
