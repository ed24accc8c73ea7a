#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "platform/model/job_dependencies.h"
#include "platform/scenario/dependency_finder.h"
#include "platform/scenario/log_file.h"

namespace muster {

/// Finds which jobs of a scenario wait for which, by the numbers that a log has for them.
class log_dependencies {
 public:
  /// @param log outlives the object @param units_per_second by which times between jobs count
  log_dependencies(const log_file& log, double units_per_second) : log_(log), units_per_second_(units_per_second) {}

  /// Time that a job's user takes after the end of the job ahead, in units of time; 0: not known.
  double think(const log_file::job& logged) const;
  /// Adds a job of the log. @param place among the jobs of the scenario, ascending
  void add(const log_file::job& logged, std::size_t place);
  /// Finds all dependencies, when all jobs are there. A job waits for jobs that are before it alone.
  /// @return null: there are none
  std::shared_ptr<const job_dependencies> find(std::size_t jobs);
  /// How many jobs wait, and how many dependencies are not replayed, for a note; empty: none.
  std::string in_words() const;

 private:
  const log_file& log_;
  double units_per_second_;
  dependency_finder finder_;
  log_file::reason wait_{"that arrive when other jobs have ended"};
  std::vector<log_file::reason> not_replayed_;
};

}  // namespace muster
