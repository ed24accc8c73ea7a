#pragma once

#include <iosfwd>
#include <optional>

#include "muster/modules/scheduler/decision_queue.h"
#include "muster/modules/scheduler/server_group.h"
#include "muster/policies/catalogue.h"

namespace muster {

/// What a scheduler is given when it is built: the cluster, its policy, and what takes time.
struct scheduler_settings {
  table<class_id, job_class> classes;    ///< in descending order of need, with names of their own
  table<group_id, server_group> groups;  ///< each with servers, cores and a capacity > 0
  /// Makes the policy, and says what kind of jobs it schedules. Outlives the scheduler.
  const policy_entry* policy = nullptr;
  settings parameters{};        ///< of the policy; what is left out has its default
  std::optional<ticks> slot{};  ///< length of a slot, > 0; for slotted jobs, and for them only
  /// The scheduler then deals with one event after the other, in the order in which they reach it. Those at which the
  /// policy is asked take it `fixed`, and `per_job` for each job that the policy examines: each head of a queue and
  /// each running job that the view hands out, and each job that is served in a slot. The view shows the orders at
  /// once; what they, and the event, make it send to servers leaves when it has decided. Other events wait meanwhile, a
  /// job that arrives among them. The answer to a job that has left does not wait for what is decided next.
  std::optional<decision_queue::durations> decision_time{};
  /// Work after which a job's progress is kept against failures of its servers, again and again; 0: always.
  std::optional<ticks> checkpoint{};
  ticks ticks_per_unit = 1;          ///< of the rates and mean sizes that the classes declare, see cluster_view; > 0
  random_numbers* random = nullptr;  ///< for a policy that draws; outlives the scheduler
};

/// The state of the cluster before time 0: all cores idle, no job.
/// @param clock outlives the state
/// @throws std::invalid_argument if there can be no such cluster: what is wrong and what was expected
cluster_state initial_state(const scheduler_settings& s, const simulated_clock& clock);

/// Whether slots and classes are such as the policy's kind of jobs asks for.
/// @throws policy_error if not, or as policy_entry::check() does
void check_policy(const scheduler_settings& s);

/// Prints each setting on a line, `name = value unit`: classes, groups, then the others, in the order of declaration.
std::ostream& operator<<(std::ostream& out, const scheduler_settings& s);

}  // namespace muster
