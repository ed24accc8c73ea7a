#include "platform/simulation/instruments/phase_statistics.h"

#include <fmt/format.h>

#include "platform/metrics/replication_result.h"
#include "platform/simulation/instrument_entry.h"

namespace muster {

void phase_statistics::add_to(replication_result& result) {
  const double window = unit_.to_units(settled_ - opened_);
  for (std::size_t phase = 1; phase < records_.size(); ++phase) {
    const record& r = records_[phase];
    const std::string name = fmt::format("phase_{}", phase);
    const double mean = r.visits ? unit_.to_units(r.duration) / static_cast<double>(r.visits) : 0.0;
    result.add(name, "phase_duration", mean, r.visits, r.visits > 0);
    result.add(name, "phase_share", unit_.to_units(r.inside) / window, r.visits);
  }
}

extern const instrument_entry phase_statistics_instrument{
    instrument_order::others,
    [](const observed_replication& replication) {
      const cluster_hardware& simulated = replication.simulated;
      return simulated.central.phases() > 0 && simulated.schedulers().size() == 1;
    },
    [](observed_replication& replication) {
      replication.add<phase_statistics>(replication.simulated.central.phases(), replication.point.unit);
    }};

}  // namespace muster
