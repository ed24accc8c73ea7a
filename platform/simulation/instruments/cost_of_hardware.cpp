#include "platform/metrics/replication_result.h"
#include "platform/model/class_table.h"
#include "platform/simulation/instrument_entry.h"

namespace muster {

namespace {

/// Adds the price of all hardware and of the average power.
void add_cost(const observed_replication& replication, replication_result& result) {
  const scenario& point = replication.point;
  const measurement* power = point.price->watt > 0.0 ? result.find("all", "average_power") : nullptr;
  result.add("all", "cost", price_of_hardware(point) + (power ? point.price->watt * power->value : 0.0),
             replication.jobs.counts().left());
}

}  // namespace

extern const instrument_entry cost_of_hardware_instrument{
    instrument_order::cost_rows, [](const observed_replication& replication) { return replication.measures("cost"); },
    add_at_the_end<add_cost>};

}  // namespace muster
