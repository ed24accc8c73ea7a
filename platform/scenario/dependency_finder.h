#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "platform/log/log_record.h"
#include "platform/model/job_dependencies.h"

namespace muster {

/// Finds which jobs of a list wait for which, by their numbers. A number without a task names all jobs that have it
/// with whatever task. A job waits for jobs that are before it in the list alone, so that none waits for itself through
/// others.
class dependency_finder {
 public:
  /// A job that waits for those of a number.
  struct waiting {
    job_number on{};
    double think = job_dependency::no_think;  ///< see job_dependency
    std::uint32_t place = 0;                  ///< of the job that waits
    std::uint32_t line = 0;                   ///< that says so
  };
  enum class result { waits, not_earlier, not_there };

  /// @param place of the job in the list
  void add(const job_number& number, std::uint32_t place) { numbered_.push_back({number, place}); }
  void add(const waiting& w) { (w.on.task == job_number::whole ? on_all_ : on_task_).push_back(w); }
  /// Finds all dependencies, when all jobs are there, with as many links as there are jobs and dependencies.
  /// @param jobs in the list @param tell receives what has become of each dependency @return null: there are none
  std::shared_ptr<const job_dependencies> find(std::size_t jobs,
                                               const std::function<void(const waiting&, result)>& tell);

 private:
  struct numbered {
    job_number number;
    std::uint32_t place;
  };
  using receiver = std::function<void(const waiting&, result)>;

  template <class Key>
  void link(spooled_list<waiting>& all, const Key& key, const receiver& tell);
  std::uint32_t new_joint();

  spooled_list<numbered> numbered_;
  spooled_list<waiting> on_all_, on_task_;  // dependencies on numbers without, and with, a task
  spooled_list<job_dependency> links_;
  std::size_t jobs_ = 0, joints_ = 0;  // of the list; see job_dependencies
};

}  // namespace muster
