#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "muster/policies/job_class.h"
#include "platform/model/scenario.h"
#include "platform/scenario/timed_list_columns.h"

namespace muster {

/// Gives equal needs of a class one number, in the order in which they come; the class's own is 0.
class need_finder {
 public:
  explicit need_finder(const job_need& own) { find(own); }

  /// The number of a need, and whether it is a new one.
  std::pair<std::uint32_t, bool> find(const job_need& need) {
    const auto next = static_cast<std::uint32_t>(needs_.size());
    std::uint32_t number = next;
    if (need.tasks)
      number = of_tasks_.try_emplace(key_of(*need.tasks), next).first->second;
    else
      number = of_cores_.try_emplace(need.cores, next).first->second;
    if (number == next) needs_.push_back(need);
    return {number, number == next};
  }
  /// All needs by their numbers.
  const std::vector<job_need>& needs() const { return needs_; }

 private:
  static std::vector<std::uint64_t> key_of(const task_need& t) {
    std::vector<std::uint64_t> key{t.tasks, t.at_most_per_server, t.exclusive ? 1u : 0u};
    key.insert(key.end(), t.per_task.begin(), t.per_task.end());
    key.insert(key.end(), t.per_job.begin(), t.per_job.end());
    return key;
  }

  std::vector<job_need> needs_;
  // Numbers of needs of cores alone, and of tasks.
  std::unordered_map<unsigned, std::uint32_t> of_cores_;
  std::map<std::vector<std::uint64_t>, std::uint32_t> of_tasks_;
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
