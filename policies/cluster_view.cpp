#include "muster/policies/cluster_view.h"

#include <algorithm>

namespace muster {

// Of those that have a job waiting.
const job* cluster_view::earliest_of_classes() const {
  const class_row* best = &rows_[waiting_classes_.first()];
  for (class_id id = waiting_classes_.first(); id != class_set::none; id = waiting_classes_.next(id))
    if (rows_[id].head_id < best->head_id) best = &rows_[id];
  return handed_out(*best->head);
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

// Where classes may use different servers.
const job* cluster_view::largest_fitting_of_any() const {
  for (class_id id = waiting_classes_.first(); id != class_set::none; id = waiting_classes_.next(id))
    if (fits(id)) return earliest_of_equal_need(id, true);
  return nullptr;
}

// Classes of equal need are neighbours. They are ordered by arrival, never by name: a name must not give priority.
const job* cluster_view::earliest_of_several(class_id id, bool that_fit) const {
  const class_row* best = &rows_[id];
  for (const class_row* other = best; other->need_of_next;) {
    ++other;
    if (other->head_id < best->head_id && (!that_fit || fits(other->head->type))) best = other;
  }
  return handed_out(*best->head);
}

unsigned cluster_view::free_cores_of_groups(class_id id) const {
  unsigned cores = 0;
  for (const group_id group : classes_[id].groups) cores += free_[group];
  return cores;
}

}  // namespace muster
