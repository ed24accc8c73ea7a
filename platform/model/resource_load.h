#pragma once

#include <string>
#include <vector>

#include "platform/model/scenario.h"

namespace muster {

/// What the servers that a class may use have for its tasks when they are idle. Amounts are by resource, of devices in
/// parts.
struct room_for_tasks {
  double servers = 0.0;                 ///< that the class may use
  std::vector<double> amount;           ///< of all these servers
  std::vector<double> least;            ///< of one of those that hold a task, at least
  double fewest_servers = 0.0;          ///< that hold all tasks of a job; infinite: all together do not
  double jobs = 0.0;                    ///< of the class that all hold at once, at most
  double slowest = 0.0, fastest = 0.0;  ///< capacity of a core

  /// What a job of the class holds of a resource of servers, at least: its tasks, or its servers as a whole.
  double held_by_job(const task_need& need, std::size_t resource) const;
};

/// @param c one with tasks
room_for_tasks room_for(const scenario& model, const class_spec& c);

/// The largest share that a job needs of any resource of the servers that it may use, or of the cluster.
/// @param c one with tasks
double share_of_job(const scenario& model, const class_spec& c);

/// The share of a resource that jobs hold on average.
struct resource_load {
  std::string name;
  double load = 0.0;
  std::vector<double> by_class;  ///< the part that each class has in it, in the order of the scenario
};

/// Where jobs are taken to run for their loads: on the slowest or on the fastest servers that their class may use.
enum class run_on { slowest, fastest };

/// The load of each resource that servers or the cluster have, from the mean of what the jobs of a list need.
/// @param model one whose jobs need tasks
/// @param rate of all arrivals, each of a class by its share
/// @param overhead time for which jobs hold their tasks beyond their work, by class; empty: none
std::vector<resource_load> resource_loads(const scenario& model, double rate, run_on servers = run_on::slowest,
                                          const std::vector<double>& overhead = {});

/// The largest load, the first of equals. @param loads at least one
const resource_load& binding_load(const std::vector<resource_load>& loads);

}  // namespace muster
