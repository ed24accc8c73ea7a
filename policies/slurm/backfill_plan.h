#pragma once

#include <algorithm>
#include <utility>

#include "muster/policies/slurm/planned_nodes.h"
#include "muster/policies/slurm/slurm_parameters.h"
#include "muster/policies/slurm/start_search.h"

namespace muster {

/// What a backfill pass of Slurm plans: for each job in turn when it starts, and a reservation if that is later.
///
/// A job is tried from now on, on the nodes of its partition that no reservation takes within its limit from then. If
/// start_search finds a start there, and no other nodes become free before, the job starts then. Else it is tried from
/// the time on at which a reservation ends that frees other nodes. A start at which the job would be in the way of a
/// reservation is tried again from there.
///
/// Begin and end of a reservation are rounded down to `bf_resolution`; it takes its nodes whole. A job that starts
/// behind `bf_window` gets none. In its planned outages a
/// node is reserved, until their end is rounded up to `bf_resolution`.
class backfill_plan {
 public:
  /// @param nodes, search, set outlive the object
  backfill_plan(const node_table& nodes, start_search& search, const slurm_settings& set)
      : nodes_(nodes), search_(search), set_(set), free_(nodes.size()), taken_(nodes.size()) {}

  /// Begins a pass.
  void begin(ticks now);
  /// Plans a job. @return whether it can start now, on search.chosen(); else it has a reservation, or none
  bool place(const slurm_job& j);
  /// Whether a job has been planned since this was last called: it has got a reservation, or can start.
  bool has_changed() { return std::exchange(has_changed_, false); }
  /// Finds nodes with free cores that no reservation takes at a time until a limit from now.
  const node_set& open_until(ticks limit) {
    planned_.find_free(now_, now_ + limit, nodes_.with_free_cores(), taken_);
    return taken_;
  }
  /// The first instant at which a pass might plan otherwise than this one, with the same jobs: as limits from then on
  /// reach other reservations. No running job has exceeded its limit by then.
  ticks stands_until() const { return std::min(stands_until_, planned_.first_change()); }

 private:
  enum class outcome { start, reservation, nothing };
  outcome find_place(const slurm_job& j);

  const node_table& nodes_;
  start_search& search_;
  const slurm_settings& set_;
  ticks now_ = 0, stands_until_ = end_of_clock;
  planned_nodes planned_;
  bool has_changed_ = false;
  class_id type_without_{};  // of the latest job that got nothing since the plan has changed
  ticks limit_without_ = 0;  // its limit; 0: there is no such job
  node_set free_, taken_;    // of the job that is being planned
};

}  // namespace muster
