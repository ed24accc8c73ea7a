#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "muster/policies/job_class.h"

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

}  // namespace muster
