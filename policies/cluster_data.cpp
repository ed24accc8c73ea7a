#include "muster/policies/cluster_data.h"

#include <algorithm>

namespace muster {

double cluster_data::slowest(class_id id) const {
  if (capacities.empty()) return 1.0;
  double least = std::numeric_limits<double>::infinity();
  for (const group_id group : classes[id].groups) least = std::min(least, capacities[group]);
  return least;
}

const job* cluster_data::earliest_of_classes() const {
  const class_row* best = &rows[waiting_classes.first()];
  for (class_id id = waiting_classes.first(); id != class_set::none; id = waiting_classes.next(id))
    if (rows[id].head_id < best->head_id) best = &rows[id];
  return hand_out(*best->head);
}

const job* cluster_data::earliest_fitting() const {
  const class_row* best = nullptr;
  for (class_id id = first_that_may_fit(); id != class_set::none; id = waiting_classes.next(id))
    if ((!best || rows[id].head_id < best->head_id) && fits(id)) best = &rows[id];
  return best ? hand_out(*best->head) : nullptr;
}

const job* cluster_data::largest() const {
  const class_id id = waiting_classes.first();
  return id == class_set::none ? nullptr : earliest_of_equal_need(id, false);
}

const job* cluster_data::largest_fitting_of_any() const {
  for (class_id id = waiting_classes.first(); id != class_set::none; id = waiting_classes.next(id))
    if (fits(id)) return earliest_of_equal_need(id, true);
  return nullptr;
}

// The first jobs of classes of equal need, which are neighbours, are ordered by arrival, never by name.
const job* cluster_data::earliest_of_several(class_id id, bool that_fit) const {
  const class_row* best = &rows[id];
  for (const class_row* other = best; other->need_of_next;) {
    ++other;
    if (other->head_id < best->head_id && (!that_fit || fits(other->head->type))) best = other;
  }
  return hand_out(*best->head);
}

unsigned cluster_data::free_cores_of_groups(class_id id) const {
  unsigned cores = 0;
  for (const group_id group : classes[id].groups) cores += free[group];
  return cores;
}

}  // namespace muster
