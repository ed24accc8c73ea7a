#pragma once

#include <string_view>
#include <vector>

#include "muster/policies/backfilling/planned_job.h"
#include "muster/policies/backfilling/user_usage.h"

namespace muster {

/// An order of waiting jobs; ties are broken by arrival. As words of a parameter: see backfill_orders().
enum class backfill_order {
  arrival,
  shortest,          ///< the smallest estimate
  smallest_area,     ///< the smallest estimate times cores that the job holds in all
  expansion_factor,  ///< the largest (wait + estimate) / estimate
  fair_share         ///< the user of the least usage
};

/// The words of the orders, in their order.
const std::vector<std::string_view>& backfill_orders();
/// @param word one of backfill_orders()
backfill_order backfill_order_of(std::string_view word);

/// Whether jobs that wait keep their places among each other as time passes.
inline bool is_lasting(backfill_order order) {
  return order != backfill_order::expansion_factor && order != backfill_order::fair_share;
}
/// The place of a job in a lasting order, before ties: the lower, the earlier.
tick_sum place_in(backfill_order order, const planned_job& j);

/// Compares waiting jobs at an instant.
class earlier_in_order {
 public:
  /// @param usage outlives the object
  earlier_in_order(backfill_order order, ticks now, const user_usage& usage)
      : order_(order), now_(now), usage_(&usage) {}
  bool operator()(const planned_job* a, const planned_job* b) const;

 private:
  backfill_order order_;
  ticks now_;
  const user_usage* usage_;
};

}  // namespace muster
