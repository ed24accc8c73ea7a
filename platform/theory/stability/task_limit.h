#pragma once

#include <vector>

#include "platform/model/scenario.h"
#include "platform/theory/demand.h"

namespace muster {

/// A load that must be below 1, if jobs that need tasks are to be stable under any policy: the largest of the loads of
/// the resources, and of each class alone on the servers that it may use, where what is left when no further job fits
/// serves none. @param demands of the classes
double load_of_tasks(const scenario& model, const std::vector<demand>& demands);

/// The limit of what any policy can do for jobs of tasks.
struct task_limit {
  /// No policy is stable if the arrival rates are multiplied by this, or by more. Infinite: no job arrives.
  double factor = 0.0;
  /// Whether some policy that may preempt is stable under any smaller factor; otherwise it is an upper bound alone.
  bool exact = false;
};

/// Finds the largest multiple s of the loads that mixes of tasks carry, by a linear program: each server holds mixes of
/// tasks that fit on it for shares of its time, and of each class they hold as many tasks on average as s times its
/// load takes (vector packing; Psychas and Ghaderi, "Randomized algorithms for scheduling multi-resource jobs in the
/// cloud", 2018, Section 2).
///
/// A server whose maximal mixes can be listed, 500 at most, has a variable for each of them. Of another one only
/// measures of its tasks are bounded, one resource at a time, see server_room::measures(). The result is exact where
/// all servers are listed and have cores of one capacity, each job is one task and needs nothing of the cluster: the
/// servers' mixes then go together in any way. Tasks of one job, which run at the same time, are counted as if they did
/// not; what jobs need of the cluster is not counted, see load_of_tasks(). A class that has less than 1e-9 of the load
/// is left out.
///
/// @param model one whose jobs need tasks
/// @param demands of the classes
task_limit limit_of_tasks(const scenario& model, const std::vector<demand>& demands);

}  // namespace muster
