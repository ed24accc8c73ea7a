#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "platform/experiment/simulation_task.h"
#include "platform/experiment/worker_pool.h"

namespace muster {

/// Gives the tasks that are to be simulated, and takes their outcomes.
class task_source {
 public:
  virtual ~task_source() = default;

  /// The number of the next task; nothing if there is none, at least until one that runs has finished.
  virtual std::optional<std::size_t> next() = 0;
  virtual simulation_task describe(std::size_t task) const = 0;
  /// Called for each task as it ends. @return false to give up the others
  virtual bool take(const task_outcome& outcome) = 0;
  /// Something went wrong that does no harm to the results.
  /// @param whose the task concerned, which will be run again
  virtual void incident(const std::string& message, std::optional<std::size_t> whose) = 0;
  /// Called at least every 200 ms. @return false to give up what has not finished
  virtual bool tick() = 0;
};

/// Simulates tasks in processes of this machine, or of several.
class task_runner {
 public:
  virtual ~task_runner() = default;

  /// Runs tasks until there are no more, or the source gives up.
  virtual void run(task_source& source) = 0;
  /// Ends the simulations. To be called when no source is left.
  virtual void end() {}
  /// Simulations at a time.
  virtual std::size_t workers() const = 0;
};

/// Child processes of this one.
class local_runner : public task_runner {
 public:
  local_runner(const study& s, std::size_t workers) : study_(s), workers_(workers) {}
  void run(task_source& source) override {
    worker_pool(workers_).run(
        [&] { return source.next(); }, [&](std::size_t task) { return simulate(study_, source.describe(task)); },
        [&](const task_outcome& outcome) { return source.take(outcome); }, [&] { return source.tick(); });
  }
  std::size_t workers() const override { return workers_; }

 private:
  const study& study_;
  std::size_t workers_;
};

}  // namespace muster
