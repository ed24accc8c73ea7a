#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "muster/policies/slurm/slurm_job.h"

namespace muster {

/// The jobs that wait, in Slurm's order, by their place from 0 on. After take() nothing but operator[], of other
/// places, size() and partitions() is called until close_gaps().
class waiting_jobs {
 public:
  bool empty() const { return jobs_.empty(); }
  std::size_t size() const { return jobs_.size(); }
  slurm_job& operator[](std::size_t place) const { return *jobs_[place]; }
  /// The number of partitions of which jobs wait.
  std::size_t partitions() const { return partitions_; }
  /// Whether a job is among them.
  bool contains(const slurm_job& j) const {
    const auto found = std::lower_bound(jobs_.begin(), jobs_.end(), &j, earlier_in_queue{});
    return found != jobs_.end() && *found == &j;
  }
  /// Whether jobs of a QOS wait.
  bool has_qos(std::size_t row) const { return row < of_qos_.size() && of_qos_[row] > 0; }

  void insert(slurm_job& j) {
    jobs_.insert(std::lower_bound(jobs_.begin(), jobs_.end(), &j, earlier_in_queue{}), &j);
    if (j.partition >= of_partition_.size()) of_partition_.resize(j.partition + 1);
    if (of_partition_[j.partition]++ == 0) ++partitions_;
    if (j.qos >= of_qos_.size()) of_qos_.resize(j.qos + 1);
    ++of_qos_[j.qos];
  }
  void erase(const slurm_job& j) {
    jobs_.erase(std::lower_bound(jobs_.begin(), jobs_.end(), &j, earlier_in_queue{}));
    leave(j);
  }
  /// Erases a job, whose place stays empty until close_gaps() is called. @param place one that is not empty
  void take(std::size_t place) {
    leave(*jobs_[place]);
    jobs_[place] = nullptr;
  }
  void close_gaps() { jobs_.erase(std::remove(jobs_.begin(), jobs_.end(), nullptr), jobs_.end()); }
  /// Sets the priority of each job by priority_of(job), and sorts them.
  template <class Priority>
  void reorder(const Priority& priority_of) {
    for (slurm_job* j : jobs_) j->priority = priority_of(*j);
    std::sort(jobs_.begin(), jobs_.end(), earlier_in_queue{});
  }

 private:
  void leave(const slurm_job& j) {
    if (--of_partition_[j.partition] == 0) --partitions_;
    --of_qos_[j.qos];
  }

  std::vector<slurm_job*> jobs_;
  std::vector<std::size_t> of_partition_, of_qos_;  // jobs of each partition and QOS
  std::size_t partitions_ = 0;
};

}  // namespace muster
