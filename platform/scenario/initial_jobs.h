#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "platform/scenario/log_file.h"
#include "platform/scenario/queued_job.h"

namespace muster {

/// A job that waits or runs at time 0.
struct initial_job {
  log_file::job logged;  ///< its run time is its size in all, in seconds
  timed_job job;         ///< arrival, and of size and request what is left; the class is not known yet
  bool runs = false;
  bool by_request = false;  ///< whether its size is what its user has requested, as nothing else is known
  std::uint32_t job_class = log_file::no_name;  ///< place in log_file::classes
  std::uint32_t nodes = log_file::no_name;      ///< place in log_file::node_lists
  bool at_its_end = false;                      ///< whether it has run for its whole size
  std::uint32_t place = 0;                      ///< in log_file::jobs
};

/// What a queue tells of the jobs that the point that was read last has, in the order of its own.
std::vector<queued_job> queued_jobs_of(const log_file& queue, const time_unit& unit);

/// The jobs of a queue in the order in which they are submitted.
///
/// First those that run, at time 0 and in the order of lines, those whose nodes are told before the others, with what
/// is left of them. Those that wait follow a step
/// of the clock later, so that they are not there when the policy starts those that run. They are in the order of their
/// submission where all of them tell it, else in that of lines.
class initial_jobs {
 public:
  /// @param queue outlives it @param longest end of the clock, in units of time
  initial_jobs(const log_file& queue, const time_unit& unit, double longest);

  /// The time from which on other jobs arrive: a step of the clock.
  double step() const { return step_; }
  /// Makes them the first jobs of a scenario's list, and tells it of them in numbers and a note.
  /// @param enter puts a job into the list. It returns why the scenario cannot have it; empty: it is entered
  void enter_all(const std::function<std::string_view(const initial_job&)>& enter, arrival_spec& arrivals);

 private:
  void leave_out(const initial_job& job, std::string_view why);
  void tell(const std::vector<initial_job>& taken, arrival_spec& arrivals) const;
  void add(std::size_t place, const time_unit& unit, double longest);

  const log_file& queue_;
  double step_;
  std::vector<initial_job> jobs_;
  bool by_submission_ = false;  // whether all jobs that wait tell when they were submitted
  std::vector<log_file::reason> left_out_;
};

/// The place of the class of a job that waits or runs at time 0: that which it tells, else the only one, else the only
/// one that needs as many cores. Nothing: there is none.
std::optional<std::uint32_t> class_of(const initial_job& initial, const log_file& queue,
                                      const std::vector<class_spec>& classes);

}  // namespace muster
