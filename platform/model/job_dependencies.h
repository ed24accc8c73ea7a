#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "platform/model/spooled_list.h"

namespace muster {

/// A job of a list that arrives only when another one has ended.
struct job_dependency {
  static constexpr double no_think = -1.0;

  std::uint32_t on = 0;   ///< place of the other job in the list
  std::uint32_t job = 0;  ///< its own
  /// Time from the end of the other one to its arrival, in units of time. `no_think`: it arrives at that end, but not
  /// before its arrival in the list.
  double think = no_think;
};

/// Which jobs of a list wait for which. No job waits for itself through others.
///
/// Where several jobs wait for all tasks of an array, a *joint* stands between: it waits for the tasks, and the jobs
/// for it, so that there are as many links as jobs and not their product. A joint has a place behind the jobs of the
/// list and ends, without a think time, with the last job or joint that it waits for.
struct job_dependencies {
  /// A job or joint that waits for another one.
  struct follower {
    std::uint32_t job = 0;
    double think = job_dependency::no_think;
  };
  struct links {
    std::uint32_t followers = 0;  ///< place of the first of its followers; the next job's are behind them
    std::uint32_t preceding = 0;  ///< number of dependencies that it has itself
  };

  /// @param all without a cycle @param in_list number of jobs in the list @param joints that there are
  job_dependencies(spooled_list<job_dependency> all, std::size_t in_list, std::size_t joints);

  bool is_joint(std::uint32_t place) const { return place >= listed; }

  std::size_t listed;        ///< jobs in the list
  spooled_list<links> jobs;  ///< of each job, each joint, and one more
  spooled_list<follower> followers;
};

/// A job of a replication that is a copy of one of a list.
struct job_copy {
  std::uint32_t job = 0;    ///< place of the other one
  std::uint32_t block = 0;  ///< copies that have been made together have the same one, and different jobs
};

/// The dependencies of copies: a copy waits for those of its block.
/// @param copies by their places in the replication
std::shared_ptr<const job_dependencies> dependencies_of_copies(const job_dependencies& of_list,
                                                               const std::vector<job_copy>& copies);

}  // namespace muster
