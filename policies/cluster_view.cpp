#include "muster/policies/cluster_view.h"

namespace muster {

// Of those that have a job waiting.
const job* cluster_view::earliest_of_classes() const {
  const class_set& waiting = data_->waiting_classes;
  const cluster_data::class_row* best = &data_->rows[waiting.first()];
  for (class_id id = waiting.first(); id != class_set::none; id = waiting.next(id))
    if (data_->rows[id].head_id < best->head_id) best = &data_->rows[id];
  return handed_out(*best->head);
}

unsigned cluster_view::free_cores_of_groups(class_id id) const {
  unsigned cores = 0;
  for (const group_id group : data_->classes[id].groups) cores += data_->free[group];
  return cores;
}

}  // namespace muster
