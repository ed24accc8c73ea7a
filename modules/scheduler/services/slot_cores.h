#pragma once

#include <optional>
#include <vector>

#include "muster/modules/scheduler/allocation/slot_plan.h"
#include "muster/modules/scheduler/services/allocations.h"

namespace muster {

/// Gives slotted jobs their cores and takes them away, as the plan of the present slot says: at its beginning, and
/// within it where jobs share a core. Each core of a job is a slice of its own.
///
/// A job may have to wait for a core that the plan gives it, while that saves the state of another job; it gets the
/// next core that becomes idle.
class slot_cores {
 public:
  /// @param slices the allocations of the jobs; outlives this object
  /// @param length of a slot
  slot_cores(const scheduler_parts& parts, allocations& slices, ticks length)
      : parts_(parts), slices_(slices), length_(length) {}

  slot_plan& plan() { return plan_; }
  /// When the present slot began.
  ticks began() const { return began_; }
  void begin_slot(ticks at) {
    began_ = at;
    underallocated_.clear();
  }
  /// Turns the core time in the plan into cores. No core is given or taken yet.
  void lay_out();

  /// Stops slices of the job in that place of the plan that has more cores than the plan gives it.
  void take_surplus(std::uint32_t place, order_sink& orders);
  /// Dispatches slices of all jobs that have fewer cores than the plan gives them.
  void give_missing(slice_sink& slices);
  /// Makes the changes of the plan within the slot that are due.
  void make_changes(ticks now, slice_sink& slices, order_sink& orders);
  /// When the next change of the plan within the slot is due; nothing: all have been made.
  std::optional<ticks> next_change() const;

  /// Lets a job get another core, as it has lost one that the plan gives it.
  void replace_core(const job_extension& j);
  /// Gives a core that has become idle to a job that lacks one, if there is any.
  void core_becomes_idle(slice_sink& slices);

 private:
  [[gnu::flatten]] void give_missing(std::uint32_t place, slice_sink& slices);
  std::optional<placement> core_for(const job_extension& j, std::size_t& known) const;

  scheduler_parts parts_;
  allocations& slices_;
  ticks length_;
  ticks began_ = 0;
  slot_plan plan_;
  std::vector<std::uint32_t> underallocated_;  // places in the plan that have fewer cores than it gives them
  std::size_t changes_made_ = 0;               // changes of the plan that have been made
};

}  // namespace muster
