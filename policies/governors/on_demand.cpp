#include "muster/policies/governor.h"

namespace muster {

extern const governor_entry on_demand_governor{
    "on_demand", 2,
    "The least speed that is at least the share of its cores that are busy times the greatest speed: slow while few "
    "are, and at the greatest speed only when all are, or nearly so",
    [](const governed_server& server) {
      const frequency_table& all = server.frequencies;
      constexpr double rounding = 1.0 - 1e-12;  // of the product: a row that is just fast enough is
      return all.row_of_speed(all[all.fastest()].speed * server.busy / server.cores * rounding);
    },
    true};

}  // namespace muster
