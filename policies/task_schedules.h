#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "muster/policies/cluster_view.h"

namespace muster {

/// The schedules of a cluster where tasks count: numbers of jobs by class that can be in service together. A schedule
/// is one if the placement rule `first` finds room for all its jobs on an idle cluster, class after class in their
/// order.
///
/// A schedule less one of its jobs may find no room in any order, as packing has such anomalies. Each schedule is
/// therefore listed by itself.
class task_schedules {
 public:
  /// The number of schedules that are listed at most.
  static constexpr std::size_t limit = 100'000;

  /// Lists all schedules, the empty one included. Takes a time proportional to their number and, for each number of
  /// jobs of all classes but the last, to the number of servers.
  /// @param cluster where tasks count
  /// @return nothing: there are more than `limit`
  static std::optional<task_schedules> of(const cluster_view& cluster);

  std::size_t size() const { return jobs_.size() / classes_; }
  /// The jobs of each class, in the order of the classes. Schedules ascend: in the first class, then in the next.
  const std::uint32_t* operator[](std::size_t number) const { return &jobs_[number * classes_]; }
  /// The last schedule of the largest weight, the sum over the classes of its jobs times those in the system, of the
  /// schedules that have no more jobs of any class than are in the system.
  /// @param in_system jobs of each class
  std::size_t heaviest(const std::vector<std::uint32_t>& in_system) const;

 private:
  explicit task_schedules(std::size_t classes) : classes_(classes) {}

  std::size_t classes_;
  std::vector<std::uint32_t> jobs_;  // by schedule and class
};

}  // namespace muster
