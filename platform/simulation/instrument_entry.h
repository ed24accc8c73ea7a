#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "platform/metrics/metric.h"
#include "platform/model/class_table.h"
#include "platform/model/scenario.h"
#include "platform/simulation/cluster_hardware.h"
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
  cluster_hardware& simulated;
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
  /// Whether a replication has the instrument.
  bool (*wanted)(const observed_replication& replication);
  /// Adds the instrument to a replication that has it.
  void (*add_to)(observed_replication& replication);
};

/// @name Replications that have an instrument
/// @{
inline bool every_replication(const observed_replication&) { return true; }
inline bool drawn_replication(const observed_replication& replication) { return replication.is_drawn(); }
inline bool drawn_log(const observed_replication& replication) {
  return replication.is_drawn() && replication.point.arrivals.kind == arrival_spec::process::log;
}
/// @}

/// Adds an instrument that is made from the replication.
template <class Instrument>
void add_instrument(observed_replication& replication) {
  replication.add<Instrument>(replication);
}

/// Adds an instrument that observes no event: when the window has ended, the function adds to the result.
template <void (*add_result)(const observed_replication&, replication_result&)>
void add_at_the_end(observed_replication& replication) {
  class result_adder final : public instrument {
   public:
    explicit result_adder(const observed_replication& of) : replication_(of) {}
    void add_to(replication_result& result) override { add_result(replication_, result); }

   private:
    const observed_replication& replication_;
  };
  replication.add<result_adder>(replication);
}

/// All instruments that a replication may have beside its job_statistics, in their order.
const std::vector<const instrument_entry*>& instrument_catalogue();

}  // namespace muster
