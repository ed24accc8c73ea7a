#include "platform/simulation/cluster.h"

#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "platform/scenario/class_table.h"
#include "policies/catalogue.h"

namespace muster {

namespace {

table<group_id, server_group> groups_of(const scenario& what) {
  table<group_id, server_group> groups;
  for (const server_spec& s : what.servers) groups.push_back({s.name, s.count, s.cores, s.capacity});
  return groups;
}

}  // namespace

cluster::cluster(const sc_core::sc_module_name& name, const scenario& what, workload& jobs, job_observer& observer)
    : sc_module(name),
      source("source", time, jobs, observer),
      central("scheduler", time, class_table(what), groups_of(what)) {
  time.own_the_kernel();
  source.submissions.bind(central.submissions);
  central.set_policy(find_policy(what.policy.name)->make(central.view(), policy_settings(what)));
  const server_costs costs{what.unit.to_ticks(what.costs.dispatch_latency), what.unit.to_ticks(what.costs.set_up)};
  const ticks latency = what.unit.to_ticks(what.link_latency);
  for (const server_spec& s : what.servers) {
    const std::string label = "server_" + s.name;
    servers_.push_back(std::make_unique<server>(label.c_str(), time, s.count, s.cores, costs));
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
