#pragma once

#include <algorithm>
#include <utility>

#include "muster/policies/slurm/completing_nodes.h"
#include "muster/policies/slurm/planned_nodes.h"
#include "muster/policies/slurm/preemption.h"
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
/// A job that would start now on nodes some of which are completing gets these nodes from a second later on. One that
/// does start is searched for anew, on those that are not completing and with weights of its own.
///
/// A job that may preempt others is tried with the running jobs first, then as if all that may give way to it were
/// gone. If it could start now then, it preempts, and gets a reservation from now on.
///
/// Begin and end of a reservation are rounded down to `bf_resolution`; it takes its nodes whole. A job that starts
/// behind `bf_window` gets none. A job leaves out the nodes of planned outages that begin before its limit ends, and is
/// tried again a second after the first end of an outage, rounded up to `bf_resolution`. A limit may end as an outage
/// begins, but not as a reservation does.
class backfill_plan {
 public:
  /// What becomes of a job in a pass: it starts now, has to preempt others, has a reservation or nothing.
  enum class outcome { start, preemption, reservation, nothing };

  /// @param nodes, completing, search, preempting, set outlive the object
  backfill_plan(const node_table& nodes, const completing_nodes& completing, start_search& search,
                preemption& preempting, const slurm_settings& set)
      : nodes_(nodes),
        completing_(completing),
        search_(search),
        preempting_(preempting),
        set_(set),
        free_(nodes.size()),
        taken_(nodes.size()) {}

  /// Begins a pass.
  void begin(ticks now);
  /// Goes on with the pass, whose reservations stay.
  void resume(ticks now) {
    now_ = now;
    limit_without_ = 0;
  }
  /// Plans a job, which starts now on search.chosen(), or preempts others on preempts_on().
  /// @param of_partition nodes of its partition
  outcome place(const slurm_job& j, const node_set& of_partition);
  /// Nodes on which the latest job may run that has to preempt others.
  const node_set& preempts_on() const { return preempts_on_; }
  /// Whether a job has been planned since this was last called: it has got a reservation, or can start.
  bool has_changed() { return std::exchange(has_changed_, false); }
  /// Finds nodes with free cores that no reservation takes at a time until a limit from now.
  const node_set& open_until(ticks limit);
  /// The first instant at which a pass might plan otherwise than this one, with the same jobs: as limits from then on
  /// reach other reservations. No running job has exceeded its limit by then.
  ticks stands_until() const { return std::min(stands_until_, planned_.first_change()); }

 private:
  ticks leave_outages(ticks from, ticks until);
  outcome find_place(const slurm_job& j, const node_set& of_partition);
  ticks find_start(const slurm_job& j, const node_set& of_partition, ticks bound);
  bool has_chosen_completing() const;
  void choose_for_start(class_id type);

  const node_table& nodes_;
  const completing_nodes& completing_;
  start_search& search_;
  preemption& preempting_;
  const slurm_settings& set_;
  ticks now_ = 0, stands_until_ = end_of_clock;
  planned_nodes planned_;
  bool has_changed_ = false;
  bool preempts_ = false;  // whether the start that was found takes others to give way
  bool has_to_preempt_ = false;
  node_set preempts_on_;
  class_id type_without_{};  // of the latest job that got nothing since the plan has changed
  ticks limit_without_ = 0;  // its limit; 0: there is no such job
  node_set free_, taken_;    // of the job that is being planned
  node_set open_;            // of these usable, without those of outages
};

}  // namespace muster
