#include "platform/simulation/module_settings.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "muster/policies/catalogue.h"
#include "platform/model/class_table.h"
#include "platform/model/data_spec.h"
#include "platform/model/job_kind.h"
#include "platform/model/network_topology.h"
#include "platform/model/scenario.h"
#include "platform/model/scheduler_share.h"

namespace muster {

namespace {

table<group_id, server_group> groups_of(const scenario& model) {
  table<group_id, server_group> groups;
  for (const server_span& g : server_groups(model)) {
    const server_spec& s = model.servers[g.entry];
    groups.push_back({s.name, g.count, s.cores, s.capacity, g.first > 0, may_leave(model, s),
                      model.counts_tasks() ? resources_of(model, s) : amounts{}});
  }
  return groups;
}

// The outages that policies know beforehand.
std::vector<planned_outage> known_outages(const scenario& model) {
  std::vector<planned_outage> known;
  const table<group_id, server_span> groups = server_groups(model);
  for (const group_id g : id_range<group_id>{groups.size()}) {
    const auto& [entry, first, count] = groups[g];
    for (const server_outage& o : model.servers[entry].outages) {
      if (!o.known || o.server < first || o.server - first >= count) continue;
      const ticks from = model.unit.to_ticks(o.from);
      known.push_back({{g, o.server - first}, from, std::max(model.unit.to_ticks(o.until), from + 1)});
    }
  }
  return known;
}

// Where jobs that run at time 0 are, by the order of their arrival.
std::vector<job_places> places_at_time_0(const scenario& model) {
  std::vector<job_places> places;
  if (model.arrivals.at_time_0.empty()) return places;
  const table<group_id, server_span> groups = server_groups(model);
  std::vector<std::vector<group_id>> of_entry(model.servers.size());
  for (const group_id g : id_range<group_id>{groups.size()}) of_entry[groups[g].entry].push_back(g);
  for (const running_job& job : model.arrivals.at_time_0) {
    job_places& own = places.emplace_back();
    for (const server_part& part : job.servers)
      for (const group_id g : of_entry[part.entry])
        if (part.server >= groups[g].first && part.server - groups[g].first < groups[g].count)
          own.push_back({g, part.server - groups[g].first, part.units});
  }
  return places;
}

// What the parts of the servers of an entry draw.
server_watts watts_of(const scenario& model, const server_spec& s) {
  server_watts all{s.power.idle, s.power.overhead, s.power.active};
  if (s.changes_frequency()) all.frequencies = &s.frequencies->table;
  if (s.power.resources.empty()) return all;
  const resource_layout places{model.resources.types, resources_of(model, s)};
  all.held.resize(places.places() - 1);
  for (std::size_t r = 1; r < s.power.resources.size(); ++r) {
    const resource_power& watts = s.power.resources[r];
    all.resources += watts.idle * static_cast<double>(s.resources[r]);
    const auto parts = static_cast<double>(std::max<std::uint64_t>(model.resources.types[r].parts, 1));
    for (std::size_t place = 0; place < places.count(r); ++place)
      all.held[places.first(r) - 1 + place] = (watts.busy - watts.idle) / parts;
  }
  return all;
}

// What submissions state, and what the scheduler makes of it.
estimate_settings estimates_of(const scenario& model) {
  using source = estimate_settings::source;
  if (kind_of_jobs(model) != job_kind::rigid) return {};
  const auto users = static_cast<std::uint32_t>(model.arrivals.users.size());
  const auto qos = static_cast<std::uint32_t>(model.arrivals.qos.size());
  switch (model.arrivals.estimates.from) {
    case estimate_spec::rule::learnt: return {source::learnt, users, qos};
    case estimate_spec::rule::requested:
    case estimate_spec::rule::factor: return {source::stated, users, qos};
    case estimate_spec::rule::exact: break;
  }
  return {source::size, users, qos};
}

scheduler_settings scheduler_settings_of(const scenario& model, random_numbers& random,
                                         random_numbers& placement_random) {
  const auto& [unit, takes] = std::tie(model.unit, model.decision);
  scheduler_settings s;
  s.classes = class_table(model);
  s.groups = groups_of(model);
  s.policy = find_policy(model.policy.name);
  s.parameters = policy_settings(model);
  if (is_slotted(model)) s.slot = unit.to_ticks(model.slot);
  if (takes.takes_time())
    s.decision_time = {unit.to_ticks(takes.fixed), unit.to_ticks(takes.per_job), unit.to_ticks(takes.per_dispatch)};
  if (model.checkpoint_every) s.checkpoint = unit.to_ticks(*model.checkpoint_every);
  s.accounts_times = model.report.explain;
  s.ticks_per_unit = unit.ticks;
  s.random = &random;
  s.placement = model.placement;
  s.placement_random = &placement_random;
  s.resources = model.resources;
  s.estimates = estimates_of(model);
  s.planned_outages = known_outages(model);
  s.named_places = places_at_time_0(model);
  return s;
}

/// Whether the policy is called for cores of slices that end before others of their job: where jobs have data, whose
/// output each server sends by itself. Slices also end apart, mostly by less, where messages take different times,
/// speeds change, cores wake, or a job's state is fetched: there such cores wait for the next arrival or completion.
bool slices_may_end_apart(const scenario& model) { return model.data && total_servers(model) > 1; }

class_exchange exchange_of(const class_spec& c, const time_unit& unit) {
  class_exchange own;
  own.pattern = c.exchange->pattern;
  own.bytes = c.exchange->bytes / (c.exchange->every * static_cast<double>(unit.ticks));
  if (c.tasks) {
    own.cores_per_task = static_cast<std::uint32_t>(c.tasks->per_task.front());
    own.most_per_server = c.tasks->at_most_per_server;
  }
  if (c.listed.empty()) own.tasks = c.tasks ? c.tasks->tasks : c.need;
  return own;
}

}  // namespace

bool may_leave(const scenario& model, const server_spec& s) {
  return s.may_be_out() || (model.controlled && !servers_stay(model));
}

std::unique_ptr<server_speeds> speeds_of(const scenario& model) {
  if (!model.speeds_change() && !model.exchanges_data() && !model.controlled) return nullptr;
  std::vector<double> capacities;
  for (const server_spec& s : model.servers) capacities.insert(capacities.end(), s.count, s.capacity);
  return std::make_unique<server_speeds>(capacities);
}

std::unique_ptr<server_power> power_of(const scenario& model, timekeeper& time, server_speeds* speeds) {
  const bool any = std::any_of(model.servers.begin(), model.servers.end(), [](const auto& s) { return s.power.any(); });
  if (!speeds || !any) return nullptr;
  std::vector<bank_watts> banks;
  for (const server_spec& s : model.servers) banks.push_back({s.count, s.cores, watts_of(model, s)});
  return std::make_unique<server_power>(time, *speeds, banks);
}

std::unique_ptr<server_governors> governors_of(const scenario& model, timekeeper& time, server_speeds* speeds) {
  const bool any =
      std::any_of(model.servers.begin(), model.servers.end(), [](const auto& s) { return s.changes_frequency(); });
  if (!any) return nullptr;
  std::vector<governed_bank> banks;
  for (const server_spec& s : model.servers)
    banks.push_back({s.count, s.cores, s.changes_frequency() ? s.frequencies.get() : nullptr});
  return std::make_unique<server_governors>(time, *speeds, banks);
}

std::unique_ptr<shared_servers> shared_by_schedulers(const scenario& model, timekeeper& time) {
  const schedulers_spec& all = model.schedulers;
  if (!all.several() || !all.share_servers) return nullptr;
  return std::make_unique<shared_servers>(
      "shared_servers", time,
      shared_servers::settings{groups_of(model), all.count, model.unit.to_ticks(all.information_delay)});
}

scheduler_settings settings_of_scheduler(const scenario& model, std::uint32_t number, random_numbers& random,
                                         random_numbers& placement_random, std::uint64_t& numbered,
                                         shared_servers* shared) {
  const bool several = model.schedulers.several();
  scheduler_settings s =
      scheduler_settings_of(several ? share_of_scheduler(model, number) : model, random, placement_random);
  if (several) s.jobs_numbered = &numbered;
  s.shares = shared;
  if (model.placement->needs_racks) s.racks = racks_of(model, number);
  s.slices_end_apart = slices_may_end_apart(model);
  return s;
}

server_costs costs_of(const scenario& model, const power_spec& power) {
  const auto& [unit, costs] = std::tie(model.unit, model.costs);
  server_costs all;
  all.dispatch_latency = unit.to_ticks(costs.dispatch_latency) + unit.to_ticks(costs.epsilon * model.slot);
  all.set_up = unit.to_ticks(costs.set_up);
  all.restore = unit.to_ticks(costs.restore);
  all.migration = unit.to_ticks(costs.migration);
  if (costs.bandwidth) all.ticks_per_byte = static_cast<double>(unit.ticks) / *costs.bandwidth;
  all.save = unit.to_ticks(costs.save);
  if (power.sleep_after) all.sleep_after = unit.to_ticks(*power.sleep_after);
  all.wake = unit.to_ticks(power.wake);
  all.checkpoint = unit.to_ticks(model.checkpoint_cost);
  return all;
}

std::optional<server_disk> disk_of(const scenario& model, const server_spec& s) {
  if (!model.data) return std::nullopt;
  const auto found = model.data->disks.find(s.name);
  if (found == model.data->disks.end()) return std::nullopt;
  const auto& [rate, cache] = found->second;
  return server_disk{rate ? static_cast<double>(model.unit.ticks) / *rate : 0.0, static_cast<std::uint64_t>(cache)};
}

table<class_id, std::optional<class_exchange>> exchange_of_classes(const scenario& model) {
  table<class_id, std::optional<class_exchange>> all;
  for (const std::size_t place : by_descending_need(model)) {
    const class_spec& c = model.classes[place];
    all.push_back(c.exchange ? std::optional{exchange_of(c, model.unit)} : std::nullopt);
  }
  return all;
}

}  // namespace muster
