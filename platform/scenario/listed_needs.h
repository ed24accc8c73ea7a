#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/model/scenario.h"
#include "platform/scenario/need_finder.h"
#include "platform/scenario/timed_list_columns.h"

namespace muster {

/// The part of a job's line that tells its need.
struct submitted_values {
  /// Whether the job shares its servers with others or holds them whole.
  enum class use : std::uint8_t { as_class, shared, whole };

  std::uint64_t tasks = 0;  ///< 0: as the class has it
  std::vector<std::optional<std::uint64_t>> amount;
  use of_servers = use::as_class;
  std::uint64_t at_most_per_server = 0;  ///< 0: as the class has it
  bool of_amounts = false;               ///< whether tasks or an amount are told

  bool any() const { return of_amounts || of_servers != use::as_class || at_most_per_server > 0; }
};

/// What the jobs of a list need, by class: as the class has it, but for what their lines tell.
class listed_needs {
 public:
  /// @param model outlives it; its classes count tasks from now on where the columns tell them
  listed_needs(scenario& model, const timed_list_columns& columns);

  /// The need of a job. @param given its amounts are by resource
  job_need applied(std::uint32_t type, const submitted_values& given) const;
  /// The number of a need, and whether it is a new one of the class.
  std::pair<std::uint32_t, bool> find(std::uint32_t type, const job_need& need) { return needs_[type].find(need); }
  /// Why no server of the class, or not all of them together, can hold a need; and the resource to blame, if it is one.
  std::vector<std::pair<std::optional<std::size_t>, std::string>> flaws(const job_need& need, std::uint32_t type) const;

  /// Whether the needs of a class are told in tasks.
  bool in_tasks(std::uint32_t type) const { return in_tasks_[type]; }
  /// The cores of each task of a class's jobs; 1 where their needs are not told in tasks.
  std::uint64_t cores_of_task(std::uint32_t type) const {
    return in_tasks_[type] ? per_class_[type].per_task.front() : 1;
  }
  /// All needs of a class by their numbers, its own first.
  const std::vector<job_need>& of_class(std::size_t type) const { return needs_[type].needs(); }
  std::size_t classes() const { return needs_.size(); }

 private:
  // Whether what a need says of tasks matters, beside its cores.
  bool is_of_tasks(const job_need& need, std::uint32_t type) const {
    return need.tasks && (in_tasks_[type] || need.tasks->exclusive || need.tasks->at_most_per_server > 0);
  }
  std::uint64_t usable_cores(const class_spec& c) const;

  scenario& model_;
  std::vector<bool> in_tasks_;        // by class
  std::vector<task_need> per_class_;  // of each class: what its jobs need where their lines do not tell
  std::vector<need_finder> needs_;    // by class
};

}  // namespace muster
