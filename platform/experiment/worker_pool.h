#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace muster {

/// What became of one task.
struct task_outcome {
  std::size_t task = 0;
  bool failed = false;
  std::string text;  ///< what the task returned, or what went wrong
};

/// Runs tasks in child processes, a process each: SystemC holds one simulation per process.
class worker_pool {
 public:
  /// @param workers child processes at a time; at least 1
  explicit worker_pool(std::size_t workers) : workers_(workers) {}

  /// Runs tasks 0 .. count - 1 in that order, as workers become free.
  /// @param work runs in the child; what it returns or throws reaches `finished`
  /// @param finished called in this process for each task as it ends; returns false to give up the others
  /// @param tick called at least every 200 ms; returns false to give up what has not finished
  /// @return whether all tasks ran to their end
  bool run(std::size_t count, const std::function<std::string(std::size_t)>& work,
           const std::function<bool(const task_outcome&)>& finished, const std::function<bool()>& tick) const;

 private:
  std::size_t workers_;
};

}  // namespace muster
