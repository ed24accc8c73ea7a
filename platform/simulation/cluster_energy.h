#pragma once

#include <algorithm>
#include <cstddef>

#include "muster/modules/server/server.h"
#include "platform/model/scenario.h"
#include "platform/simulation/cluster_hardware.h"

namespace muster {

/// The core time of a bank of servers in each state except down.
struct bank_times {
  tick_sum idle = 0, overhead = 0, running = 0, asleep = 0;

  static bank_times of(const server& bank, ticks now) {
    bank_times sum;
    for (std::uint32_t core = 0; core < bank.core_count(); ++core) {
      const core_times times = bank.times(core, now);
      sum.idle += times.idle;
      sum.overhead += times.overhead;
      sum.running += times.running;
      sum.asleep += times.asleep;
    }
    return sum;
  }
};

/// The power of cores, devices and amounts of a cluster, and the energy that they have spent, by the watts of their
/// states, of cores that work by their speed, see server_power. Devices and amounts of a server draw nothing while it
/// is down.
class cluster_energy {
 public:
  /// @param model,hardware of one cluster, both outlive this object
  cluster_energy(const scenario& model, const cluster_hardware& hardware) : model_(model), hardware_(hardware) {}

  /// Energy that all have spent until now, in watts times ticks. The cluster has all its servers.
  double spent(ticks now) const {
    double sum = 0.0;
    const auto& banks = hardware_.servers();
    for (std::size_t entry = 0; entry < banks.size(); ++entry) {
      const power_spec& watts = model_.servers[entry].power;
      const bank_times times = bank_times::of(*banks[entry], now);
      sum += watts.idle * static_cast<double>(times.idle) + watts.overhead * static_cast<double>(times.overhead) +
             watts.active * static_cast<double>(times.running) + watts.asleep * static_cast<double>(times.asleep);
      if (!watts.resources.empty()) sum += spent_by_resources(entry, now);
    }
    if (hardware_.power()) sum += spent_by_speeds(now);
    if (!model_.power_of_cluster.empty())
      sum += of_cluster(static_cast<double>(now), [](const task_allocator& tasks, std::size_t r) {
        return static_cast<double>(tasks.held_of_cluster(r));
      });
    return sum;
  }
  /// Power now of the servers of an entry and of what they have, in watts.
  /// @param entry place in scenario::servers @param bank its servers
  double power(std::size_t entry, const server& bank, ticks now) const {
    const server_spec& spec = model_.servers[entry];
    const power_spec& watts = spec.power;
    const ticks sleep_after = bank.settings().costs.sleep_after;
    double sum = 0.0;
    for (std::uint32_t core = 0; core < bank.core_count(); ++core) {
      const server::core_view seen = bank.core(core);
      if (seen.state == server::core_state::running)
        sum += watts.active + (watts.active - watts.idle) * (relative_watts(bank, core, hardware_.power()) - 1.0);
      if (seen.state == server::core_state::overhead) sum += watts.overhead;
      if (seen.state == server::core_state::idle) sum += now - seen.since < sleep_after ? watts.idle : watts.asleep;
    }
    for (std::size_t r = 1; r < watts.resources.size(); ++r) {
      const resource_power& of_resource = watts.resources[r];
      sum += of_resource.idle * static_cast<double>(spec.resources[r]) * bank.servers_up();
      if (bank.resources())
        sum += (of_resource.busy - of_resource.idle) * in_units(r, static_cast<double>(bank.resources()->held_now(r)));
    }
    return sum;
  }
  /// Power now of the resources that the cluster has as a whole, in watts.
  double power_of_cluster() const {
    return of_cluster(1.0, [](const task_allocator& tasks, std::size_t r) {
      return static_cast<double>(tasks.of_cluster().held_now(r));
    });
  }

 private:
  // What a core of a bank that works draws now above idle power, over the same at speed 1.
  static double relative_watts(const server& bank, std::uint32_t core, const server_power* power) {
    const server_settings& s = bank.settings();
    return power ? power->relative_watts(s.first_in_network + core / s.cores) : 1.0;
  }
  // What cores that work have drawn at their speeds beyond what they would have drawn at speed 1.
  double spent_by_speeds(ticks now) const {
    double sum = 0.0;
    std::uint32_t place = 0;
    for (const server_spec& s : model_.servers)
      for (const std::uint32_t end = place + s.count; place < end; ++place)
        sum += (s.power.active - s.power.idle) * hardware_.power()->excess_work(place, now);
    return sum;
  }
  double spent_by_resources(std::size_t entry, ticks now) const {
    const server_spec& spec = model_.servers[entry];
    const server& bank = *hardware_.servers()[entry];
    tick_sum up = 0;
    for (std::uint32_t n = 0; n < spec.count; ++n) up += now - bank.down_time(n * spec.cores, now);
    double sum = 0.0;
    for (std::size_t r = 1; r < spec.power.resources.size(); ++r) {
      const resource_power& watts = spec.power.resources[r];
      double held = 0.0;
      if (bank.resources() && watts.idle != watts.busy) {
        const held_integral times = bank.held(r, now);
        held = in_units(r, static_cast<double>(times.overhead + times.running));
      }
      sum += watts.idle * static_cast<double>(spec.resources[r]) * static_cast<double>(up) +
             (watts.busy - watts.idle) * held;
    }
    return sum;
  }
  // The sum over the resources that the cluster has as a whole, for a time. @param held of each, over that time
  template <class Held>
  double of_cluster(double time, const Held& held) const {
    double sum = 0.0;
    for (std::size_t r = 1; r < model_.power_of_cluster.size(); ++r) {
      if (!model_.resources.types[r].of_cluster) continue;
      const resource_power& watts = model_.power_of_cluster[r];
      sum += watts.idle * static_cast<double>(model_.resources.of_cluster[r]) * time +
             (watts.busy - watts.idle) *
                 in_units(r, hardware_.central.tasks() ? held(*hardware_.central.tasks(), r) : 0.0);
    }
    return sum;
  }
  // Devices, or the amount, that so many parts are.
  double in_units(std::size_t resource, double parts) const {
    return parts / static_cast<double>(std::max<std::uint64_t>(model_.resources.types[resource].parts, 1));
  }

  const scenario& model_;
  const cluster_hardware& hardware_;
};

}  // namespace muster
