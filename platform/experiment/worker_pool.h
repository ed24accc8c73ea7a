#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace muster {

/// What became of one task.
struct task_outcome {
  std::size_t task = 0;
  bool failed = false;
  std::string text;   ///< what the task returned, or what went wrong
  bool died = false;  ///< its process has ended without a word; another attempt may succeed
};

/// Tasks at work, each in a child process of its own. However this object ends, none of them is left behind.
class child_processes {
 public:
  child_processes() = default;
  ~child_processes();
  child_processes(const child_processes&) = delete;
  child_processes& operator=(const child_processes&) = delete;

  /// @param work runs in the child; what it returns or throws is the outcome
  /// @throws std::runtime_error if the system has no more processes
  void start(std::size_t task, const std::function<std::string()>& work);
  std::size_t count() const { return children_.size(); }
  /// Those that have ended meanwhile, or end within that time.
  std::vector<task_outcome> wait(std::chrono::milliseconds longest);

 private:
  struct child {
    pid_t process;
    int pipe;
    std::size_t task;
    std::size_t place;  // on the arrival_board
    std::string received;
  };
  static bool drain(child& from);
  static task_outcome collect(const child& ended);

  std::vector<child> children_;
};

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
