#pragma once

#include "muster/policies/cluster_view.h"

namespace muster {

/// The cluster as a policy of rigid jobs sees it.
class rigid_view : public cluster_view {
 public:
  using cluster_view::cluster_view;

  /// The number of jobs of the class that can be in service at once: floor(k / need).
  unsigned places(class_id id) const { return usable_cores(id) / need(id); }
  /// The share that a job of the class needs of the resource of which it needs the largest, of the servers that it may
  /// use; of their cores where only these count.
  double share(class_id id) const {
    return counts_tasks() ? tasks(id).share : static_cast<double>(need(id)) / usable_cores(id);
  }
  bool fits(class_id id) const { return data_->fits(id); }
  bool fits(const job& j) const { return fits(j.type); }
  /// The first waiting class that may fit, where a search for those that do begins; class_set::none: there is none.
  class_id first_that_may_fit() const { return data_->first_that_may_fit(); }
  /// How well a job of the class can be placed now, which must fit: the score that the entry's `places_by` gives the
  /// server which the job gets first, the lower the better. 0 where no scheduler places jobs by a rule with scores.
  double placement_score(class_id id) const { return data_->preview ? data_->preview->score(id) : 0.0; }
  /// The number of the class's jobs in service that are leaving: they still hold cores, and will wait again.
  std::size_t leaving(class_id id) const { return data_->rows[id].leaving; }

  /// @name The queue
  /// @{
  /// The earliest arrival among the waiting jobs that fit into the free cores, or null.
  const job* earliest_fitting() const { return data_->earliest_fitting(); }
  /// The waiting job of the largest need (equal needs: the earliest arrival), or null.
  const job* largest() const { return data_->largest(); }
  /// The waiting job of the largest need among those that fit (equal needs: as in largest()), or null.
  const job* largest_fitting() const {
    if (!data_->same_servers) return data_->largest_fitting_of_any();
    const class_id id = data_->first_that_may_fit();
    return id == class_set::none ? nullptr : data_->earliest_of_equal_need(id, true);
  }
  /// @}
};

}  // namespace muster
