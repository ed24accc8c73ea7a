#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "platform/store/code_fingerprint.h"

namespace muster {

/// What became of one task.
struct task_outcome {
  std::size_t task = 0;
  bool failed = false;
  std::string text;   ///< what the task returned, text or other bytes, or what went wrong
  bool died = false;  ///< its process has ended without a word; another attempt may succeed
};

/// Tasks at work in child processes. However this object ends, no child is left behind.
class child_processes {
 public:
  child_processes() = default;
  ~child_processes();
  child_processes(const child_processes&) = delete;
  child_processes& operator=(const child_processes&) = delete;

  /// Starts a child that runs tasks one after the other. It begins no further task when it has run for batch_time(),
  /// or when one has failed: the others are handed back, see take_not_begun().
  /// @param tasks at least one
  /// @param work runs in the child; what it returns or throws is the outcome
  /// @throws std::runtime_error if the system has no more processes
  void start(std::vector<std::size_t> tasks, const std::function<std::string(std::size_t)>& work);
  std::size_t count() const { return children_.size(); }
  /// Waits for a task to end. @return the outcomes of all tasks that have ended by then
  std::vector<task_outcome> wait(std::chrono::milliseconds longest);
  /// Takes the first of the tasks that were handed back; nothing if there are none.
  std::optional<std::size_t> take_not_begun();
  /// The number of tasks that a child is likely to finish within batch_time(), from those that have ended: eight at
  /// first, and at most eight times as many from child to child. Tasks that turn out slow are handed back.
  std::size_t quick_tasks() const;

  /// The time for which a child begins tasks: a tenth of the time since this object was made, from 0.2 to 2 s. It is
  /// the longest for which other workers wait at the end; to start a child takes as long as some of the quickest tasks.
  std::chrono::duration<double> batch_time() const;

 private:
  using clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds shortest_batch{200}, longest_batch{2000};
  static constexpr int growth = 8;

  struct child {
    pid_t process;
    int pipe;
    std::vector<std::size_t> tasks;
    std::size_t place;                  // on the arrival_board
    std::size_t answered;               // how many of the tasks
    std::chrono::microseconds at_work;  // for all that are answered
    std::string received;               // of the next answer
  };
  static bool drain(child& from, std::vector<task_outcome>& ended, bool at_end);
  void collect(const child& ended, std::vector<task_outcome>& outcomes);

  std::vector<child> children_;
  std::set<std::size_t> not_begun_;
  std::chrono::duration<double> slow_task_ = shortest_batch / growth;  // what a task may take
  const clock::time_point made_ = clock::now();
};

/// Runs tasks in child processes. Quick ones share a process, one after the other, as a process takes longer to start
/// than they do.
class worker_pool {
 public:
  /// @param workers child processes at a time; at least 1
  /// @param share_processes whether tasks may share one; plugins might keep something from one task to the next
  explicit worker_pool(std::size_t workers, bool share_processes = !runs_plugins())
      : workers_(workers), share_processes_(share_processes) {}

  /// Runs tasks as workers become free, until there are no more.
  /// @param next the number of the next task, in this process; nothing if there is none, at least until one that runs
  ///   has finished
  /// @param work runs in the child; what it returns or throws reaches `finished`
  /// @param finished called in this process for each task as it ends; returns false to give up the others
  /// @param tick called at least every 200 ms; returns false to give up what has not finished
  /// @return whether all tasks ran to their end
  bool run(const std::function<std::optional<std::size_t>()>& next, const std::function<std::string(std::size_t)>& work,
           const std::function<bool(const task_outcome&)>& finished, const std::function<bool()>& tick) const;
  /// Runs the tasks 0 .. count - 1, in that order.
  bool run(std::size_t count, const std::function<std::string(std::size_t)>& work,
           const std::function<bool(const task_outcome&)>& finished, const std::function<bool()>& tick) const;

 private:
  std::size_t workers_;
  bool share_processes_;
};

}  // namespace muster
