#include "platform/metrics/replication_result.h"
#include "platform/model/class_table.h"
#include "platform/simulation/cluster_energy.h"
#include "platform/simulation/instrument_entry.h"

namespace muster {

namespace {

/// Measures the energy that cores, devices and amounts of servers and of the cluster spend, and for how long caps on
/// power held servers back.
class energy_meter final : public instrument {
 public:
  explicit energy_meter(const observed_replication& replication) : replication_(replication) {}

  void window_opens(ticks now) override { before_ = sums_at(now); }
  void window_closes(ticks now) override { after_ = sums_at(now); }
  void add_to(replication_result& result) override {
    const scenario& point = replication_.point;
    const double window = replication_.window(), cores = static_cast<double>(total_cores(point));
    const double spent = (after_.energy - before_.energy) / static_cast<double>(point.unit.ticks);
    const double joules = spent * point.unit.seconds;
    const std::uint64_t left = replication_.jobs.counts().left();
    result.add("all", "average_power", spent / window, left);
    result.add("all", "energy_per_job", joules / static_cast<double>(left), left, left > 0);
    result.add("all", "asleep_share", point.unit.to_units(after_.asleep - before_.asleep) / (cores * window), left);
    const server_power* const power = replication_.simulated.power();
    if (!point.power_caps.empty() || (power && power->any_cap_so_far()))
      result.add("all", "time_capped", point.unit.to_units(after_.capped - before_.capped) / window, left);
  }

 private:
  struct sums {
    tick_sum asleep = 0;
    double energy = 0.0;  // watts times ticks
    ticks capped = 0;
  };

  sums sums_at(ticks now) const {
    sums all;
    for (const auto& bank : replication_.simulated.servers()) all.asleep += bank_times::of(*bank, now).asleep;
    all.energy = cluster_energy{replication_.point, replication_.simulated}.spent(now);
    if (const server_power* const power = replication_.simulated.power()) all.capped = power->time_capped(now);
    return all;
  }

  const observed_replication& replication_;
  sums before_, after_;
};

}  // namespace

extern const instrument_entry energy_meter_instrument{instrument_order::power_rows,
                                                      [](const observed_replication& replication) {
                                                        return replication.measures("average_power") &&
                                                               replication.simulated.has_all_servers();
                                                      },
                                                      add_instrument<energy_meter>};

}  // namespace muster
