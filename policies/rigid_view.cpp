#include "muster/policies/rigid_view.h"

namespace muster {

const job* rigid_view::earliest_fitting() const {
  const cluster_data::class_row* best = nullptr;
  for (class_id id = first_that_may_fit(); id != class_set::none; id = data_->waiting_classes.next(id))
    if ((!best || data_->rows[id].head_id < best->head_id) && fits(id)) best = &data_->rows[id];
  return best ? handed_out(*best->head) : nullptr;
}

const job* rigid_view::largest() const {
  const class_id id = data_->waiting_classes.first();
  return id == class_set::none ? nullptr : earliest_of_equal_need(id, false);
}

// Where classes may use different servers.
const job* rigid_view::largest_fitting_of_any() const {
  const class_set& waiting = data_->waiting_classes;
  for (class_id id = waiting.first(); id != class_set::none; id = waiting.next(id))
    if (fits(id)) return earliest_of_equal_need(id, true);
  return nullptr;
}

// Classes of equal need are neighbours. They are ordered by arrival, never by name: a name must not give priority.
const job* rigid_view::earliest_of_several(class_id id, bool that_fit) const {
  const cluster_data::class_row* best = &data_->rows[id];
  for (const cluster_data::class_row* other = best; other->need_of_next;) {
    ++other;
    if (other->head_id < best->head_id && (!that_fit || fits(other->head->type))) best = other;
  }
  return handed_out(*best->head);
}

}  // namespace muster
