#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <functional>
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
    std::string received;
  };
  static bool drain(child& from);
  static task_outcome collect(const child& ended);

  std::vector<child> children_;
};

}  // namespace muster
