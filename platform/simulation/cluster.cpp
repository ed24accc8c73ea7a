#include "platform/simulation/cluster.h"

#include <cmath>
#include <set>
#include <stdexcept>
#include <tuple>

#include <fmt/format.h>

#include "platform/scenario/class_table.h"
#include "platform/simulation/random_interruptions.h"
#include "policies/catalogue.h"

namespace muster {

namespace {

table<group_id, server_group> groups_of(const scenario& what) {
  table<group_id, server_group> groups;
  for (const server_span& g : server_groups(what)) {
    const server_spec& s = what.servers[g.entry];
    groups.push_back({s.name, g.count, s.cores, s.capacity, g.first > 0});
  }
  return groups;
}

server_costs costs_of(const scenario& what) {
  const auto& [unit, costs] = std::tie(what.unit, what.costs);
  const double ticks_per_byte = costs.bandwidth ? static_cast<double>(unit.ticks) / *costs.bandwidth : 0.0;
  return {unit.to_ticks(costs.dispatch_latency),
          unit.to_ticks(costs.set_up),
          unit.to_ticks(costs.restore),
          unit.to_ticks(costs.migration),
          ticks_per_byte,
          unit.to_ticks(costs.save)};
}

}  // namespace

cluster::cluster(const sc_core::sc_module_name& name, const scenario& what, std::uint32_t replication, workload& jobs,
                 job_observer& observer)
    : sc_module(name),
      source("source", time, jobs, observer),
      central("scheduler", time, class_table(what), groups_of(what)) {
  time.own_the_kernel();
  source.submissions.bind(central.submissions);
  const policy_entry& entry = *find_policy(what.policy.name);
  central.set_policy(entry.make(central.view(), policy_settings(what)), entry.jobs);
  const double theta = central.active_policy().work_between_interruptions();
  const ticks latency = what.unit.to_ticks(what.link_latency);
  for (const server_spec& s : what.servers) {
    const std::string label = "server_" + s.name;
    if (std::isfinite(theta)) timers_.push_back(std::make_unique<random_interruptions>(what, replication, s, theta));
    servers_.push_back(std::make_unique<server>(label.c_str(), time, s.count, s.cores, costs_of(what),
                                                timers_.empty() ? nullptr : timers_.back().get()));
    if (latency == 0) {
      central.dispatches.bind(servers_.back()->dispatch);
      continue;
    }
    links_.push_back(std::make_unique<link>(("link_to_" + label).c_str(), time, latency));
    central.dispatches.bind(links_.back()->in);
    links_.back()->out.bind(servers_.back()->dispatch);
  }
}

cluster::~cluster() = default;

void cluster::audit(ticks now) const {
  // Cores: idle + overhead + running = elapsed time, on each.
  for (const auto& s : servers_)
    for (std::uint32_t core = 0; core < s->core_count(); ++core)
      if (const core_times times = s->times(core, now); times.total() != now)
        throw std::runtime_error(
            fmt::format("core {} of '{}' accounts for {} of {} ticks", core, s->basename(), times.total(), now));
  // Jobs: everyone who arrived has completed, waits, or is in service.
  const cluster_view& view = central.view();
  std::uint64_t waiting = 0;
  std::uint64_t in_service = 0;
  for (const class_id id : view.classes()) {
    for (const job* j = view.first(id); j; j = j->behind) ++waiting;
    for (const job* j = view.running(id); j; j = j->behind) ++in_service;
  }
  if (central.jobs_arrived() != central.jobs_completed() + waiting + in_service)
    throw std::runtime_error(fmt::format("{} jobs arrived, but {} completed, {} wait and {} are in service",
                                         central.jobs_arrived(), central.jobs_completed(), waiting, in_service));
  // And every job in service holds cores, where none can be on its way over a link.
  std::set<const job_extension*> holders;
  for (const auto& s : servers_)
    for (const job_extension* j : s->holders()) holders.insert(j);
  if (links_.empty() && holders.size() != in_service)
    throw std::runtime_error(fmt::format("{} jobs are in service, but {} hold cores", in_service, holders.size()));
}

}  // namespace muster
