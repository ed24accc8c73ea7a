#pragma once

#include <cstdint>
#include <map>
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
    const auto [place, is_new] = numbers_.emplace(key_of(need), static_cast<std::uint32_t>(needs_.size()));
    if (is_new) needs_.push_back(need);
    return {place->second, is_new};
  }
  /// All needs by their numbers.
  const std::vector<job_need>& needs() const { return needs_; }

 private:
  static std::vector<std::uint64_t> key_of(const job_need& need) {
    if (!need.tasks) return {need.cores};
    const task_need& t = *need.tasks;
    std::vector<std::uint64_t> key{t.tasks, t.at_most_per_server, t.exclusive ? 1u : 0u};
    key.insert(key.end(), t.per_task.begin(), t.per_task.end());
    key.insert(key.end(), t.per_job.begin(), t.per_job.end());
    return key;
  }

  std::vector<job_need> needs_;
  std::map<std::vector<std::uint64_t>, std::uint32_t> numbers_;
};

}  // namespace muster
