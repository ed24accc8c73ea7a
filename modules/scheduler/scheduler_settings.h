#pragma once

#include <iosfwd>
#include <optional>

#include "muster/modules/scheduler/allocation/server_group.h"
#include "muster/modules/scheduler/services/decision_queue.h"
#include "muster/modules/scheduler/services/estimate_settings.h"
#include "muster/modules/scheduler/services/shared_holdings.h"
#include "muster/policies/catalogue.h"
#include "muster/policies/cluster_state.h"
#include "muster/policies/placement.h"

namespace muster {

/// The settings of a scheduler: the cluster, its policy, and the time that decisions take.
struct scheduler_settings {
  table<class_id, job_class> classes;    ///< in descending order of need, with names of their own
  table<group_id, server_group> groups;  ///< each with servers, cores and a capacity > 0
  /// The policy, which determines the kind of the jobs. Outlives the scheduler.
  const policy_entry* policy = nullptr;
  settings parameters{};        ///< parameters of the policy; those left out have their defaults
  std::optional<ticks> slot{};  ///< length of a slot, > 0; for slotted jobs, and for them only
  /// The time that decisions take; nothing: none. If given, the scheduler processes one event at a time, in the order
  /// in which they reach it. An event at which the policy is called takes `fixed`, and `per_job` for each job that the
  /// policy examines: each head of a queue and each running job that the view returns, and each job that is served in a
  /// slot. The view reflects the orders at once; transactions to servers are sent when the time of the decision has
  /// passed. Other events, arrivals included, wait meanwhile. The response to a job that has left does not wait.
  std::optional<decision_queue::durations> decision_time{};
  /// The interval of work at which a job's progress is saved against failures of its servers; 0: all progress is saved;
  /// nothing: none is.
  std::optional<ticks> checkpoint{};
  bool accounts_times = false;       ///< whether it is recorded what each job's time is spent on, see time_account
  ticks ticks_per_unit = 1;          ///< unit of the rates and mean sizes that classes declare, see cluster_view; > 0
  random_numbers* random = nullptr;  ///< source for a policy that draws random numbers; outlives the scheduler
  /// The rule by which rigid jobs are placed, from placement_catalogue(); null: `first`.
  const placement_entry* placement = nullptr;
  /// Source for a rule of placement that draws random numbers; outlives the scheduler; null: such a rule is refused.
  random_numbers* placement_random = nullptr;
  cluster_resources
      resources{};  ///< of its servers, cores first, and of the cluster; they count where classes need tasks
  estimate_settings estimates{};  ///< of rigid jobs; for other jobs as it is by default
  /// Outages of servers that its policy knows beforehand, see cluster_view::planned_outages(); of groups that fail.
  std::vector<planned_outage> planned_outages{};
  /// Servers of rigid jobs, by the order of their arrival: a job that has some holds these when it is first started, if
  /// there is room. Of each job they ascend by group and number, with as many cores in all as the job needs; where
  /// tasks count, `cores` is a number of its tasks. Empty: its placement is that of the others, which later jobs have,
  /// too.
  std::vector<job_places> named_places{};
  /// Counts the jobs that several schedulers have numbered together, so that no two jobs of theirs have one number, and
  /// those of each ascend. It outlives them. Null: a scheduler numbers its jobs from 0 by itself.
  std::uint64_t* jobs_numbered = nullptr;
  /// The servers that it shares with other schedulers: it plans optimistically, and a dispatch may be refused, see
  /// sharing_rigid_service. Outlives the scheduler. Null: all servers are its own.
  shared_holdings* shares = nullptr;
  /// Whether slices of one rigid job may end at different instants, so that the policy is called for cores that are
  /// free while others of the job are not, see rigid_policy::cores_freed(). Without it such cores wait for the next
  /// event.
  bool slices_end_apart = false;
  /// The rack of each server, for a rule of placement that needs them; else they do not matter.
  server_racks racks{};
};

/// The state of the cluster before time 0: all cores idle, no job.
/// @param clock outlives the state
/// @throws std::invalid_argument for an invalid cluster: what is wrong and what was expected
cluster_state initial_state(const scheduler_settings& s, const simulated_clock& clock);

/// Checks that slots, classes and placement fit the kind of the policy's jobs.
/// @throws policy_error if they do not, or as policy_entry::check() does
void check_policy(const scheduler_settings& s);

/// Prints each setting on a line, `name = value unit`: classes, groups, then the others, in the order of declaration.
std::ostream& operator<<(std::ostream& out, const scheduler_settings& s);

}  // namespace muster
