#pragma once

#include "muster/policies/cluster_view.h"

namespace muster {

/// The cluster as a policy of rigid jobs sees it.
class rigid_view : public cluster_view {
 public:
  using cluster_view::cluster_view;

  /// How many jobs of the class can be in service at once: floor(k / need).
  unsigned places(class_id id) const { return usable_cores(id) / need(id); }
  bool fits(class_id id) const { return need(id) <= free_cores(id); }
  bool fits(const job& j) const { return fits(j.type); }
  /// How many of the class's jobs in service are leaving: they still hold cores, and will wait again.
  std::size_t leaving(class_id id) const { return data_->rows[id].leaving; }

  /// @name The queue
  /// @{
  /// The earliest arrival among the waiting jobs that fit into the free cores, or null.
  const job* earliest_fitting() const;
  /// The waiting job of the largest need (equal needs: the earliest arrival), or null.
  const job* largest() const;
  /// The waiting job of the largest need among those that fit (equal needs: as in largest()), or null.
  const job* largest_fitting() const {
    if (!data_->same_servers) return largest_fitting_of_any();
    const class_id id = first_that_may_fit();
    return id == class_set::none ? nullptr : earliest_of_equal_need(id, true);
  }
  /// @}

 private:
  /// The first waiting class that may fit; where all classes use the same servers, the first that does.
  class_id first_that_may_fit() const {
    const std::size_t first = data_->same_servers ? first_of_need_at_most(free_cores(class_id{0})) : 0;
    return data_->waiting_classes.from(first);
  }
  /// The number of the first class that needs no more cores; that of all classes if there is none.
  std::size_t first_of_need_at_most(unsigned cores) const {
    std::size_t first = data_->first_by_digits[cluster_data::digits(cores)];
    while (first < data_->rows.size() && data_->rows[static_cast<class_id>(first)].need > cores) ++first;
    return first;
  }
  /// The first job of the class, or of one of those behind it that need as many cores.
  const job* earliest_of_equal_need(class_id id, bool that_fit) const {
    const cluster_data::class_row& row = data_->rows[id];
    return row.need_of_next ? earliest_of_several(id, that_fit) : handed_out(*row.head);
  }
  const job* earliest_of_several(class_id id, bool that_fit) const;
  const job* largest_fitting_of_any() const;
};

}  // namespace muster
