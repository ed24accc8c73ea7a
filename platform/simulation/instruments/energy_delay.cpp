#include "platform/metrics/replication_result.h"
#include "platform/simulation/instrument_entry.h"

namespace muster {

namespace {

/// Adds the product of energy and delay. Where a cap may come from outside and none has come there is none, as of
/// time_capped.
void add_product(const observed_replication& replication, replication_result& result) {
  const server_power* const power = replication.simulated.power();
  if (!replication.point.weighs_energy() && !(power && power->any_cap_so_far())) return;
  const measurement* const energy = result.find("all", "energy_per_job");
  const measurement* const response = result.find("all", "response_time");
  if (!energy || !response) return;
  result.add("all", "energy_delay_product", energy->value * response->value * replication.point.unit.seconds,
             replication.jobs.counts().left(), energy->has_value && response->has_value);
}

}  // namespace

extern const instrument_entry energy_delay_instrument{
    instrument_order::cost_rows,
    [](const observed_replication& replication) { return replication.measures("energy_delay_product"); },
    add_at_the_end<add_product>};

}  // namespace muster
