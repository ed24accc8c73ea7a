#include <fmt/format.h>

#include <unordered_set>

#include "platform/scenario/scenario_reader.h"

namespace muster {

namespace {

// A time >= 0; left out: none.
double read_time(table_reader& table, std::string_view key, const scenario& what) {
  const double length = table.number(key, zero_or_more, 0.0);
  check_time(table, key, length, what);
  return length;
}

void read_servers(table_reader& platform, scenario& what) {
  std::unordered_set<std::string> names;
  for (table_reader& server : platform.tables("servers")) {
    server_spec spec;
    spec.name = server.name("name");
    spec.count = static_cast<std::uint32_t>(server.integer("count", 1, most_servers, 1));
    spec.cores = static_cast<std::uint32_t>(server.integer("cores", 1, 1'000'000, 1));
    spec.capacity = server.number("capacity", above_zero, 1.0);
    server.close();
    if (!spec.name.empty() && !names.insert(spec.name).second)
      server.complain("name", fmt::format("an earlier server has the name {} already", quoted(spec.name)));
    what.servers.push_back(std::move(spec));
  }
  if (const std::uint64_t servers = total_servers(what); servers > static_cast<std::uint64_t>(most_servers))
    platform.complain("servers", fmt::format("expected at most {} servers in all, found {}", most_servers, servers));
  if (const std::uint64_t cores = total_cores(what); cores > static_cast<std::uint64_t>(most_cores))
    platform.complain("servers", fmt::format("expected at most {} cores in all, found {}", most_cores, cores));
}

void read_costs(table_reader& platform, scenario& what) {
  table_reader costs = platform.table("costs");
  what.costs.dispatch_latency = read_time(costs, "dispatch_latency", what);
  what.costs.set_up = read_time(costs, "set_up", what);
  what.costs.save = read_time(costs, "save", what);
  what.costs.restore = read_time(costs, "restore", what);
  what.costs.migration = read_time(costs, "migration", what);
  what.costs.bandwidth = costs.optional_number("bandwidth", above_zero);
  costs.close();
}

void read_timers(table_reader& platform, scenario& what) {
  table_reader timers = platform.table("timers");
  const std::string law = timers.word("law", "law", {"exponential", "deterministic"}, "exponential");
  what.timers.kind = law == "deterministic" ? timer_spec::law::deterministic : timer_spec::law::exponential;
  what.timers.tick = read_time(timers, "tick", what);
  if (what.timers.tick > 0.0) check_step(timers, "tick", what.timers.tick, what);
  timers.close();
}

}  // namespace

platform_graph read_platform(table_reader& document, graph_files& files, scenario& what) {
  table_reader platform = document.table("platform");
  read_servers(platform, what);
  read_costs(platform, what);
  read_timers(platform, what);
  table_reader link = platform.table("link");
  what.link_latency = read_time(link, "latency", what);
  link.close();
  const platform_graph graph = find_graph(platform, files);
  platform.close();
  return graph;
}

}  // namespace muster
