#include "muster/policies/cluster_view.h"

#include <algorithm>

namespace muster {

// The first waiting class that may fit. Where all classes use the same servers, classes of too great a need are skipped
// by a binary search.
class_id cluster_view::first_that_may_fit() const {
  if (!same_servers_) return waiting_classes_.first();
  const unsigned free = free_cores(class_id{0});
  const auto fitting =
      std::partition_point(rows_.begin(), rows_.end(), [free](const class_row& row) { return row.need > free; });
  return waiting_classes_.from(static_cast<std::size_t>(fitting - rows_.begin()));
}

const job* cluster_view::earliest() const {
  const class_row* best = nullptr;
  for (class_id id = waiting_classes_.first(); id != class_set::none; id = waiting_classes_.next(id))
    if (!best || rows_[id].head_id < best->head_id) best = &rows_[id];
  return best ? handed_out(*best->head) : nullptr;
}

const job* cluster_view::earliest_fitting() const {
  const class_row* best = nullptr;
  for (class_id id = first_that_may_fit(); id != class_set::none; id = waiting_classes_.next(id))
    if ((!best || rows_[id].head_id < best->head_id) && fits(id)) best = &rows_[id];
  return best ? handed_out(*best->head) : nullptr;
}

const job* cluster_view::largest() const {
  const class_id id = waiting_classes_.first();
  return id == class_set::none ? nullptr : earliest_of_equal_need(id, false);
}

const job* cluster_view::largest_fitting() const {
  for (class_id id = first_that_may_fit(); id != class_set::none; id = waiting_classes_.next(id))
    if (fits(id)) return earliest_of_equal_need(id, true);
  return nullptr;
}

// Classes of equal need are ordered by arrival, never by name: a name must not give priority.
const job* cluster_view::earliest_of_equal_need(class_id id, bool that_fit) const {
  const class_row* best = &rows_[id];
  for (class_id other = waiting_classes_.next(id); other != class_set::none && need(other) == best->need;
       other = waiting_classes_.next(other))
    if (rows_[other].head_id < best->head_id && (!that_fit || fits(other))) best = &rows_[other];
  return handed_out(*best->head);
}

unsigned cluster_view::free_cores_of_groups(class_id id) const {
  unsigned cores = 0;
  for (const group_id group : classes_[id].groups) cores += free_[group];
  return cores;
}

}  // namespace muster
