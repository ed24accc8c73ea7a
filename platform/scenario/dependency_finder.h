#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "platform/log/log_record.h"
#include "platform/model/job_dependencies.h"
#include "platform/scenario/log_file.h"
#include "platform/scenario/text_field.h"

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

/// Which jobs of a list wait for which, as its lines tell. All that cannot be honoured is an error.
class list_dependencies {
 public:
  /// What a line tells of its job.
  struct values {
    std::optional<job_number> own{};          ///< by which others name the job; nothing: none does
    text_field after{};                       ///< which jobs it waits for; empty: for none
    double think = job_dependency::no_think;  ///< see job_dependency
  };

  /// Adds a line. @return what is wrong with the jobs that it names; empty: nothing
  std::string add(const values& told);
  /// Finds all dependencies, when all lines are there.
  /// @param lines of the jobs in the list's order, by the order in which they were added @param first place of the
  ///   first of them in the list
  /// @param complain receives what is wrong, and where
  std::shared_ptr<const job_dependencies> find(
      const std::vector<std::uint32_t>& lines, std::size_t first,
      const std::function<void(const text_field&, const std::string&)>& complain);

 private:
  struct line {
    values told;
    std::size_t first_wait = 0;  // in `preceding_`
  };

  std::vector<line> lines_;
  std::vector<job_number> preceding_;  // that the lines name, one line after the other
};

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
