#pragma once

#include <unordered_map>

#include "muster/modules/server/server_observer.h"
#include "muster/policies/table.h"

namespace muster {

/// Counts jobs in the system and jobs on cores, by class, from arrivals, completions and the servers' slices, not from
/// the scheduler. A job waits while it has no core.
class occupancy {
 public:
  explicit occupancy(std::size_t classes) : rows_(classes) {}

  void job_arrives(class_id id) {
    ++rows_[id].present;
    ++present_;
  }
  void job_leaves(class_id id) {
    --rows_[id].present;
    --present_;
  }
  /// @return whether it is the only slice of its job
  bool slice_begins(const slice_view& slice) {
    if (!slice.holder || ++slices_of_[slice.job] > 1) return false;
    ++rows_[slice.holder->declared_class()].in_service;
    ++in_service_;
    return true;
  }
  /// @return whether it was the last slice of its job
  bool slice_ends(const slice_view& slice) {
    if (!slice.holder) return false;
    const auto found = slices_of_.find(slice.job);
    if (--found->second > 0) return false;
    slices_of_.erase(found);
    --rows_[slice.holder->declared_class()].in_service;
    --in_service_;
    return true;
  }

  std::uint64_t waiting(class_id id) const { return rows_[id].present - rows_[id].in_service; }
  std::uint64_t in_service(class_id id) const { return rows_[id].in_service; }
  /// The waiting jobs of all classes.
  std::uint64_t waiting() const { return present_ - in_service_; }

 private:
  struct row {
    std::uint64_t present = 0, in_service = 0;
  };
  table<class_id, row> rows_;
  std::uint64_t present_ = 0, in_service_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> slices_of_;  // number of slices, by job
};

}  // namespace muster
