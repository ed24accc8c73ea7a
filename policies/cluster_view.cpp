#include "muster/policies/cluster_view.h"

#include <algorithm>

namespace muster {

namespace {
constexpr auto none = static_cast<class_id>(static_cast<std::uint32_t>(boost::dynamic_bitset<>::npos));
}  // namespace

// The first waiting class that may fit. Where all classes use the same servers, classes of too great a need are skipped
// by a binary search.
class_id cluster_view::first_that_may_fit() const {
  if (!same_servers_) return first_waiting();
  const unsigned free = free_cores(class_id{0});
  const auto fitting =
      std::partition_point(rows_.begin(), rows_.end(), [free](const class_row& row) { return row.need > free; });
  const auto first = static_cast<std::size_t>(fitting - rows_.begin());
  return to_id(first == 0 ? waiting_classes_.find_first() : waiting_classes_.find_next(first - 1));
}

const job* cluster_view::earliest() const {
  const class_row* best = nullptr;
  for (class_id id = first_waiting(); id != none; id = next_waiting(id))
    if (!best || rows_[id].head_id < best->head_id) best = &rows_[id];
  return best ? handed_out(*best->head) : nullptr;
}

const job* cluster_view::earliest_fitting() const {
  const class_row* best = nullptr;
  for (class_id id = first_that_may_fit(); id != none; id = next_waiting(id))
    if ((!best || rows_[id].head_id < best->head_id) && fits(id)) best = &rows_[id];
  return best ? handed_out(*best->head) : nullptr;
}

const job* cluster_view::largest() const {
  const class_id id = first_waiting();
  return id == none ? nullptr : earliest_of_equal_need(id, false);
}

const job* cluster_view::largest_fitting() const {
  for (class_id id = first_that_may_fit(); id != none; id = next_waiting(id))
    if (fits(id)) return earliest_of_equal_need(id, true);
  return nullptr;
}

// Classes of equal need are ordered by arrival, never by name: a name must not give priority.
const job* cluster_view::earliest_of_equal_need(class_id id, bool that_fit) const {
  const class_row* best = &rows_[id];
  for (class_id other = next_waiting(id); other != none && need(other) == best->need; other = next_waiting(other))
    if (rows_[other].head_id < best->head_id && (!that_fit || fits(other))) best = &rows_[other];
  return handed_out(*best->head);
}

}  // namespace muster
