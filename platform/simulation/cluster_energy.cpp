#include "platform/simulation/cluster_energy.h"

#include <algorithm>

#include "platform/simulation/bank_times.h"

namespace muster {

namespace {

// What a core of a bank that works draws now above idle power, over the same at speed 1.
double relative_watts(const server& bank, std::uint32_t core, const server_power* power) {
  const server_settings& s = bank.settings();
  return power ? power->relative_watts(s.first_in_network + core / s.cores) : 1.0;
}

}  // namespace

double cluster_energy::spent(ticks now) const {
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
  if (!model_.power_of_cluster.empty()) sum += spent_by_cluster(now);
  return sum;
}

// What cores that work have drawn at their speeds beyond what they would have drawn at speed 1.
double cluster_energy::spent_by_speeds(ticks now) const {
  double sum = 0.0;
  std::uint32_t place = 0;
  for (const server_spec& s : model_.servers)
    for (const std::uint32_t end = place + s.count; place < end; ++place)
      sum += (s.power.active - s.power.idle) * hardware_.power()->excess_work(place, now);
  return sum;
}

double cluster_energy::in_units(std::size_t resource, double parts) const {
  return parts / static_cast<double>(std::max<std::uint64_t>(model_.resources.types[resource].parts, 1));
}

double cluster_energy::spent_by_cluster(ticks now) const {
  const task_allocator* tasks = hardware_.central.tasks();
  double sum = 0.0;
  for (std::size_t r = 1; r < model_.power_of_cluster.size(); ++r) {
    if (!model_.resources.types[r].of_cluster) continue;
    const resource_power& watts = model_.power_of_cluster[r];
    const double held = tasks ? in_units(r, static_cast<double>(tasks->held_of_cluster(r))) : 0.0;
    sum += watts.idle * static_cast<double>(model_.resources.of_cluster[r]) * static_cast<double>(now) +
           (watts.busy - watts.idle) * held;
  }
  return sum;
}

double cluster_energy::spent_by_resources(std::size_t entry, ticks now) const {
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

double cluster_energy::power(std::size_t entry, const server& bank, ticks now) const {
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

double cluster_energy::power_of_cluster() const {
  const task_allocator* tasks = hardware_.central.tasks();
  double sum = 0.0;
  for (std::size_t r = 1; r < model_.power_of_cluster.size(); ++r) {
    if (!model_.resources.types[r].of_cluster) continue;
    const resource_power& watts = model_.power_of_cluster[r];
    const double held = tasks ? in_units(r, static_cast<double>(tasks->of_cluster().held_now(r))) : 0.0;
    sum += watts.idle * static_cast<double>(model_.resources.of_cluster[r]) + (watts.busy - watts.idle) * held;
  }
  return sum;
}

}  // namespace muster
