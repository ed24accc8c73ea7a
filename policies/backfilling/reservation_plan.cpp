#include "muster/policies/backfilling/reservation_plan.h"

#include "muster/policies/backfilling/core_plan.h"
#include "muster/policies/backfilling/server_plan.h"

namespace muster {

std::unique_ptr<reservation_plan> plan_for(const cluster_view& cluster) {
  if (cluster.counts_tasks()) return std::make_unique<server_plan>(cluster);
  return std::make_unique<core_plan>(cluster);
}

}  // namespace muster
