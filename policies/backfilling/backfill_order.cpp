#include "muster/policies/backfilling/backfill_order.h"

#include <algorithm>

namespace muster {

const std::vector<std::string_view>& backfill_orders() {
  static const std::vector<std::string_view> words{"arrival", "shortest", "smallest_area", "expansion_factor",
                                                   "fair_share"};
  return words;
}

backfill_order backfill_order_of(std::string_view word) {
  const auto& words = backfill_orders();
  return static_cast<backfill_order>(std::find(words.begin(), words.end(), word) - words.begin());
}

tick_sum place_in(backfill_order order, const planned_job& j) {
  if (order == backfill_order::shortest) return j.of->estimate;
  if (order == backfill_order::smallest_area) return tick_sum{j.of->estimate} * j.cores;
  return j.id();
}

bool earlier_in_order::operator()(const planned_job* a, const planned_job* b) const {
  if (order_ == backfill_order::expansion_factor) {
    const tick_sum of_a = tick_sum{now_ - a->of->arrival} * b->of->estimate;
    const tick_sum of_b = tick_sum{now_ - b->of->arrival} * a->of->estimate;
    if (of_a != of_b) return of_a > of_b;
  } else if (order_ == backfill_order::fair_share) {
    const tick_sum of_a = usage_->of(a->of->user, now_), of_b = usage_->of(b->of->user, now_);
    if (of_a != of_b) return of_a < of_b;
  } else if (const tick_sum of_a = place_in(order_, *a), of_b = place_in(order_, *b); of_a != of_b) {
    return of_a < of_b;
  }
  return a->id() < b->id();
}

}  // namespace muster
