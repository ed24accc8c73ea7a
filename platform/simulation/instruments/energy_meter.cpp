#include <algorithm>

#include "platform/metrics/replication_result.h"
#include "platform/model/class_table.h"
#include "platform/simulation/bank_times.h"
#include "platform/simulation/instrument_entry.h"

namespace muster {

namespace {

/// Measures the energy that cores, devices and amounts of servers and of the cluster spend, by the watts of their
/// states.
class energy_meter final : public instrument {
 public:
  explicit energy_meter(const observed_replication& replication) : replication_(replication) {}

  void window_opens(ticks now) override { before_ = with_speeds(sums_at(now), now); }
  void window_closes(ticks now) override { after_ = with_speeds(sums_at(now), now); }
  void add_to(replication_result& result) override {
    const scenario& point = replication_.point;
    const double window = replication_.window(), cores = static_cast<double>(total_cores(point));
    const double spent = (after_.energy - before_.energy) / static_cast<double>(point.unit.ticks);
    const double joules = spent * point.unit.seconds;
    const std::uint64_t left = replication_.jobs.sum().left();
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

  // Adds what cores that work have drawn at other speeds than 1, and for how long caps held servers back.
  sums with_speeds(sums all, ticks now) const {
    const server_power* const power = replication_.simulated.power();
    if (!power) return all;
    all.capped = power->time_capped(now);
    std::uint32_t place = 0;
    for (const server_spec& s : replication_.point.servers)
      for (const std::uint32_t end = place + s.count; place < end; ++place)
        all.energy += (s.power.active - s.power.idle) * power->excess_work(place, now);
    return all;
  }

  sums sums_at(ticks now) const {
    sums all;
    const auto& banks = replication_.simulated.servers();
    for (std::size_t entry = 0; entry < banks.size(); ++entry) {
      const power_spec& watts = replication_.point.servers[entry].power;
      const bank_times times = bank_times::of(*banks[entry], now);
      all.asleep += times.asleep;
      all.energy +=
          watts.idle * static_cast<double>(times.idle) + watts.overhead * static_cast<double>(times.overhead) +
          watts.active * static_cast<double>(times.running) + watts.asleep * static_cast<double>(times.asleep);
      if (!watts.resources.empty()) all.energy += energy_of_resources(entry, now);
    }
    if (!replication_.point.power_of_cluster.empty()) all.energy += energy_of_cluster(now);
    return all;
  }

  // What the resources of the cluster have spent, in watts times ticks.
  double energy_of_cluster(ticks now) const {
    const scenario& point = replication_.point;
    const task_allocator* tasks = replication_.simulated.central.tasks();
    double sum = 0.0;
    for (std::size_t r = 1; r < point.power_of_cluster.size(); ++r) {
      if (!point.resources.types[r].of_cluster) continue;
      const resource_power& watts = point.power_of_cluster[r];
      const std::uint64_t parts = std::max<std::uint64_t>(point.resources.types[r].parts, 1);
      const double held = tasks ? static_cast<double>(tasks->held_of_cluster(r)) / static_cast<double>(parts) : 0.0;
      sum += watts.idle * static_cast<double>(point.resources.of_cluster[r]) * static_cast<double>(now) +
             (watts.busy - watts.idle) * held;
    }
    return sum;
  }

  // What the devices and amounts of an entry's servers have spent, in watts times ticks. They draw nothing while their
  // server is down.
  double energy_of_resources(std::size_t entry, ticks now) const {
    const server_spec& spec = replication_.point.servers[entry];
    const server& bank = *replication_.simulated.servers()[entry];
    tick_sum up = 0;
    for (std::uint32_t n = 0; n < spec.count; ++n) up += now - bank.down_time(n * spec.cores, now);
    double sum = 0.0;
    for (std::size_t r = 1; r < spec.power.resources.size(); ++r) {
      const resource_power& watts = spec.power.resources[r];
      double held = 0.0;
      if (bank.resources() && watts.idle != watts.busy) {
        const held_integral times = bank.held(r, now);
        const std::uint64_t parts = std::max<std::uint64_t>(replication_.point.resources.types[r].parts, 1);
        held = static_cast<double>(times.overhead + times.running) / static_cast<double>(parts);
      }
      sum += watts.idle * static_cast<double>(spec.resources[r]) * static_cast<double>(up) +
             (watts.busy - watts.idle) * held;
    }
    return sum;
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
