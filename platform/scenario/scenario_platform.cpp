#include <fmt/format.h>

#include <unordered_set>
#include <utility>

#include "platform/model/class_table.h"
#include "platform/scenario/scenario_reader.h"

namespace muster {

namespace {

// A time >= 0; left out: none.
double read_time(table_reader& table, std::string_view key, const scenario& what) {
  const double length = table.number(key, zero_or_more, 0.0);
  check_time(table, key, length, what);
  return length;
}

// Nothing is written back where nothing is given: most studies know no power.
void read_power(table_reader& server, power_spec& power, const scenario& what) {
  if (!server.find("power")) return;
  table_reader table = server.table("power");
  power.idle = table.number("idle", zero_or_more, 0.0);
  power.active = table.number("active", zero_or_more, 0.0);
  power.overhead = table.number("overhead", zero_or_more, power.active);
  power.asleep = table.number("asleep", zero_or_more, 0.0);
  power.sleep_after = table.optional_number("sleep_after", zero_or_more);
  if (power.sleep_after) check_time(table, "sleep_after", *power.sleep_after, what);
  if (table.find("wake") && !power.sleep_after)
    table.complain("wake", "expected no wake without sleep_after: cores never sleep then");
  power.wake = read_time(table, "wake", what);
  table.close();
}

// Nothing is written back where nothing is given, as with power.
void read_faults(table_reader& server, server_spec& spec, const scenario& what) {
  if (!server.find("faults")) return;
  table_reader table = server.table("faults");
  spec.faults.emplace();
  for (auto [key, mean] :
       {std::pair("to_failure", &spec.faults->to_failure), std::pair("to_repair", &spec.faults->to_repair)}) {
    *mean = table.number(key, above_zero);
    check_time(table, key, *mean, what);
  }
  table.close();
}

void read_checkpoints(table_reader& platform, const slotted_form& form, scenario& what) {
  what.checkpoint_every = platform.optional_number("checkpoint_every", zero_or_more);
  if (!what.checkpoint_every) return;
  if (!what.servers_fail())
    platform.complain("checkpoint_every", "has no effect without faults; expected servers with faults");
  else if (form.jobs)
    platform.complain("checkpoint_every", "has no effect on slotted jobs: they keep the units that are complete");
  else
    check_time(platform, "checkpoint_every", *what.checkpoint_every, what);
}

void read_servers(table_reader& platform, const slotted_form& form, scenario& what) {
  std::unordered_set<std::string> names;
  for (table_reader& server : platform.tables("servers")) {
    server_spec spec;
    spec.name = server.name("name");
    spec.count = static_cast<std::uint32_t>(server.integer("count", 1, most_servers, 1));
    spec.cores = static_cast<std::uint32_t>(server.integer("cores", 1, 1'000'000, 1));
    spec.capacity = server.number("capacity", above_zero, 1.0);
    read_power(server, spec.power, what);
    read_faults(server, spec, what);
    server.close();
    if (form.jobs && spec.capacity != 1.0)
      server.complain("capacity", fmt::format("a core does one unit in a slot; expected capacity 1, found {}",
                                              shortest(spec.capacity)));
    if (!spec.name.empty() && !names.insert(spec.name).second)
      server.complain("name", fmt::format("an earlier server has the name {} already", in_quotes(spec.name)));
    what.servers.push_back(std::move(spec));
  }
  if (const std::uint64_t servers = total_servers(what); servers > static_cast<std::uint64_t>(most_servers))
    platform.complain("servers", fmt::format("expected at most {} servers in all, found {}", most_servers, servers));
  if (const std::uint64_t cores = total_cores(what); cores > static_cast<std::uint64_t>(most_cores))
    platform.complain("servers", fmt::format("expected at most {} cores in all, found {}", most_cores, cores));
}

void read_costs(table_reader& platform, const slotted_form& form, scenario& what) {
  table_reader costs = platform.table("costs");
  what.costs.dispatch_latency = read_time(costs, "dispatch_latency", what);
  what.costs.set_up = read_time(costs, "set_up", what);
  what.costs.save = read_time(costs, "save", what);
  what.costs.restore = read_time(costs, "restore", what);
  what.costs.migration = read_time(costs, "migration", what);
  what.costs.bandwidth = costs.optional_number("bandwidth", above_zero);
  constexpr number_range share{"a number from 0 to 1", 0.0, false, 1.0};
  what.costs.epsilon =
      form.jobs ? costs.number("epsilon", share, 0.0) : costs.optional_number("epsilon", share).value_or(0.0);
  if (!form.jobs && what.costs.epsilon > 0.0)
    costs.complain("epsilon", "has no effect without slotted jobs; expected classes with units");
  costs.close();
}

void read_slot(table_reader& platform, const slotted_form& form, scenario& what) {
  if (!form.jobs && platform.find("slot"))
    platform.complain("slot", "has no effect without slotted jobs; expected classes with units");
  if (!form.jobs) return;
  what.slot = platform.number("slot", {"a slot length > 0", 0.0, true}, 1.0);
  if (check_step(platform, "slot", what.slot, what)) check_time(platform, "slot", what.slot, what);
}

void read_timers(table_reader& platform, scenario& what) {
  table_reader timers = platform.table("timers");
  const std::string law = timers.word("law", "law", {"exponential", "deterministic"}, "exponential");
  what.timers.kind = law == "deterministic" ? timer_spec::law::deterministic : timer_spec::law::exponential;
  what.timers.tick = read_time(timers, "tick", what);
  if (what.timers.tick > 0.0) check_step(timers, "tick", what.timers.tick, what);
  timers.close();
}

void read_decision(table_reader& platform, scenario& what) {
  table_reader decision = platform.table("decision");
  what.decision.fixed = read_time(decision, "fixed", what);
  what.decision.per_job = read_time(decision, "per_job", what);
  decision.close();
}

}  // namespace

platform_graph read_platform(table_reader& document, const slotted_form& form, study_files& files, scenario& what) {
  table_reader platform = document.table("platform");
  read_servers(platform, form, what);
  read_checkpoints(platform, form, what);
  read_slot(platform, form, what);
  read_costs(platform, form, what);
  read_timers(platform, what);
  read_link(platform, files, what);
  read_decision(platform, what);
  const platform_graph graph = find_graph(platform, files);
  platform.close();
  return graph;
}

}  // namespace muster
