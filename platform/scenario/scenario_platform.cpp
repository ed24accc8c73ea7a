#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "muster/policies/placement.h"
#include "platform/model/class_table.h"
#include "platform/model/network_topology.h"
#include "platform/scenario/log_file.h"
#include "platform/scenario/scenario_reader.h"

namespace muster {

namespace {

// Power that is not given is not written to the resolved scenario: most studies know none.
void read_power(table_reader& server, server_spec& spec, const cluster_resources& declared) {
  if (!server.find("power")) return;
  table_reader table = server.table("power");
  power_spec& power = spec.power;
  power.idle = table.number("idle");
  if (!server.find("frequencies"))
    power.active = table.number("active");
  else if (table.find("active"))
    table.complain("active", "has no effect beside frequencies, which have their watts");
  table.describe_default("overhead", power.active);
  power.overhead = table.number("overhead");
  power.asleep = table.number("asleep");
  power.sleep_after = table.optional_number("sleep_after");
  power.wake = table.number("wake");
  power.resources = read_power_of_resources(table, spec, declared);
  table.close();
}

// Faults that are not given are not written to the resolved scenario either.
void read_faults(table_reader& server, std::optional<fault_spec>& faults) {
  if (!server.find("faults")) return;
  table_reader table = server.table("faults");
  faults = {table.number("to_failure"), table.number("to_repair")};
  table.close();
}

// Describes the cores of a log's only server, where they are left out: they are the processors that the log tells of.
void describe_cores_of_log(table_reader& server, const log_file& log) {
  constexpr double most = 1e6;  // of a server
  const std::optional<double>& cores = log.header.cores;
  if (cores && *cores >= 1.0 && *cores <= most && std::floor(*cores) == *cores)
    server.describe_default("cores", static_cast<std::int64_t>(*cores));
  else
    server.complain("cores",
                    "missing, and the log tells no number of processors (MaxProcs); expected the cores of the "
                    "cluster");
}

void read_servers(table_reader& platform, point_draft& point, scenario& model) {
  std::unordered_set<std::string> names;
  const std::size_t before = platform.problems();
  std::vector<table_reader> entries = platform.tables("servers");
  for (table_reader& server : entries) {
    server_spec spec;
    spec.name = server.name("name");
    spec.count = server.integer<std::uint32_t>("count");
    if (point.log_read && entries.size() == 1 && spec.count == 1 && !server.find("cores"))
      describe_cores_of_log(server, *point.log_read);
    spec.cores = server.integer<std::uint32_t>("cores");
    spec.capacity = server.number("capacity");
    read_faults(server, spec.faults);
    read_server_resources(server, spec, model.resources);
    std::vector<core_frequency> frequencies = read_frequencies(server, spec, point);
    read_power(server, spec, model.resources);
    read_governor(server, spec, std::move(frequencies));
    read_disk(server, spec, point);
    server.close();
    if (point.slotted && spec.capacity != 1.0)
      server.complain("capacity", fmt::format("a core does one unit in a slot; expected capacity 1, found {}",
                                              shortest(spec.capacity)));
    if (!spec.name.empty() && !names.insert(spec.name).second)
      server.complain("name", fmt::format("an earlier server has the name {} already", in_quotes(spec.name)));
    model.servers.push_back(std::move(spec));
  }
  const std::uint64_t servers = total_servers(model);
  if (servers == 0 && platform.problems() == before)
    platform.complain("servers", "every entry has count 0; expected at least 1 server in all");
  if (servers > static_cast<std::uint64_t>(most_servers))
    platform.complain("servers", fmt::format("expected at most {} servers in all, found {}", most_servers, servers));
  if (const std::uint64_t cores = total_cores(model); cores > static_cast<std::uint64_t>(most_cores))
    platform.complain("servers", fmt::format("expected at most {} cores in all, found {}", most_cores, cores));
}

void check_checkpoints(table_reader& platform, const point_draft& point) {
  if (point.model.checkpoint_every && point.slotted)
    platform.complain("checkpoint_every", "has no effect on slotted jobs: they keep the units that are complete");
  if (point.model.checkpoint_cost > 0.0 && point.model.checkpoint_every == 0.0)
    platform.complain("checkpoint_cost", "continuous checkpoints take no time; expected checkpoint_every > 0");
}

void read_costs(table_reader& platform, cost_spec& to) {
  table_reader costs = platform.table("costs");
  to.dispatch_latency = costs.number("dispatch_latency");
  to.set_up = costs.number("set_up");
  to.save = costs.number("save");
  to.restore = costs.number("restore");
  to.migration = costs.number("migration");
  to.bandwidth = costs.optional_number("bandwidth");
  check_bandwidth(costs, "bandwidth", to.bandwidth);
  to.epsilon = costs.number("epsilon");
  costs.close();
}

void read_placement(table_reader& platform, point_draft& point) {
  if (!platform.find("placement")) return;
  const auto rule = platform.choice<std::size_t>("placement");
  if (point.policy && point.policy->jobs() != job_kind::rigid)
    platform.complain("placement", fmt::format("has no effect on {} jobs: policy {} chooses their servers",
                                               word_for(point.policy->jobs()), in_quotes(point.policy->name)));
  point.model.placement = placement_catalogue()[rule];
}

}  // namespace

void leave_out_absent_servers(point_draft& point) {
  std::vector<server_spec>&all = point.model.servers, &absent = point.absent_servers;
  const auto first_absent =
      std::stable_partition(all.begin(), all.end(), [](const server_spec& s) { return s.count > 0; });
  if (first_absent == all.begin()) return;
  absent.assign(first_absent, all.end());
  all.erase(first_absent, all.end());
  const auto is_absent = [&](const std::string& name) {
    return std::any_of(absent.begin(), absent.end(), [&](const server_spec& s) { return s.name == name; });
  };
  for (class_spec& c : point.model.classes)
    c.servers.erase(std::remove_if(c.servers.begin(), c.servers.end(), is_absent), c.servers.end());
}

void check_placement(table_reader& document, const point_draft& point) {
  const placement_entry& rule = *point.model.placement;
  if (rule.needs_racks && !has_racks(*point.model.network.shape))
    document.table("platform")
        .complain("placement",
                  fmt::format("{} needs racks, which topology {} does not have; expected {}", in_quotes(rule.name),
                              in_quotes(point.model.network.shape->name), topologies_with_racks()));
  const bool tasks = point.model.counts_tasks();
  if (point.model.placement == placement_catalogue().front() || !point.policy || !point.policy->own_placement(tasks))
    return;
  document.table("platform")
      .complain("placement",
                fmt::format("policy {} places {} itself; expected 'first', the default", in_quotes(point.policy->name),
                            point.policy->places_only_tasks ? "tasks" : "jobs"));
}

void read_platform(table_reader& document, point_draft& point) {
  scenario& model = point.model;
  table_reader platform = document.table("platform");
  read_resources(platform, model);
  read_servers(platform, point, model);
  model.checkpoint_every = platform.optional_number("checkpoint_every");
  model.checkpoint_cost = platform.optional_number("checkpoint_cost").value_or(0.0);
  check_checkpoints(platform, point);
  model.slot = platform.number("slot");
  read_costs(platform, model.costs);
  table_reader timers = platform.table("timers");
  model.timers = {timers.choice<timer_spec::law>("law"), timers.number("tick")};
  timers.close();
  read_link(platform, point);
  read_storage(platform, point);
  table_reader decision = platform.table("decision");
  model.decision = {decision.number("fixed"), decision.number("per_job"), decision.number("per_dispatch")};
  decision.close();
  read_schedulers(platform, model);
  point.graph_given = platform.find("graph");
  read_placement(platform, point);
  if (point.graph_given) point.graph = read_file<graph_file>(platform, "graph", point.files);
  platform.close();
}

}  // namespace muster
