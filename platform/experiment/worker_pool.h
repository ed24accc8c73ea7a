#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "platform/experiment/child_processes.h"

namespace muster {

/// Runs tasks in child processes, a process each: SystemC holds one simulation per process.
class worker_pool {
 public:
  /// @param workers child processes at a time; at least 1
  explicit worker_pool(std::size_t workers) : workers_(workers) {}

  /// Runs tasks as workers become free, until there are no more.
  /// @param next the number of the next task, in this process; nothing if there is none, at least until one that runs
  ///   has finished
  /// @param work runs in the child; what it returns or throws reaches `finished`
  /// @param finished called in this process for each task as it ends; returns false to give up the others
  /// @param tick called at least every 200 ms; returns false to give up what has not finished
  /// @return whether all tasks ran to their end
  bool run(const std::function<std::optional<std::size_t>()>& next, const std::function<std::string(std::size_t)>& work,
           const std::function<bool(const task_outcome&)>& finished, const std::function<bool()>& tick) const;
  /// The same for tasks 0 .. count - 1, in that order.
  bool run(std::size_t count, const std::function<std::string(std::size_t)>& work,
           const std::function<bool(const task_outcome&)>& finished, const std::function<bool()>& tick) const;

 private:
  std::size_t workers_;
};

}  // namespace muster
