#include "platform/metrics/replication_result.h"
#include "platform/model/price.h"
#include "platform/simulation/instrument_entry.h"

namespace muster {

namespace {

/// Computes the price of all hardware and of the average power.
class cost_of_hardware final : public instrument {
 public:
  explicit cost_of_hardware(const observed_replication& replication) : replication_(replication) {}

  void add_to(replication_result& result) override {
    const scenario& point = replication_.point;
    const measurement* power = point.price->watt > 0.0 ? result.find("all", "average_power") : nullptr;
    result.add("all", "cost", price_of_hardware(point) + (power ? point.price->watt * power->value : 0.0),
               replication_.jobs.sum().left());
  }

 private:
  const observed_replication& replication_;
};

}  // namespace

extern const instrument_entry cost_of_hardware_instrument{instrument_order::cost_rows,
                                                          [](observed_replication& replication) {
                                                            if (replication.point.price)
                                                              replication.add<cost_of_hardware>(replication);
                                                          }};

}  // namespace muster
