#include "platform/theory/pooled/pooled_stability.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/range/iterator_range.hpp>

#include "platform/model/class_table.h"
#include "platform/model/compatibility_graph.h"
#include "platform/model/features.h"
#include "platform/theory/demand.h"
#include "platform/theory/pooled/balanced_fairness.h"

namespace muster {

namespace {

constexpr std::size_t most_split_classes = 1000;

bool draws(const class_spec& c) { return c.drawn > 0; }
bool all_draw(const scenario& model) { return std::all_of(model.classes.begin(), model.classes.end(), draws); }
bool none_draws(const scenario& model) { return std::none_of(model.classes.begin(), model.classes.end(), draws); }

double server_capacity(const server_spec& s) { return s.capacity * s.cores; }

/// The number of the entry of each single server, slowest servers first.
std::vector<std::size_t> by_capacity(const scenario& model) {
  std::vector<std::size_t> entries;
  for (std::size_t s = 0; s < model.servers.size(); ++s) entries.insert(entries.end(), model.servers[s].count, s);
  std::stable_sort(entries.begin(), entries.end(), [&](std::size_t a, std::size_t b) {
    return server_capacity(model.servers[a]) < server_capacity(model.servers[b]);
  });
  return entries;
}

/// The capacity of the slowest b servers, b = 0 .. all.
std::vector<double> slowest_capacities(const scenario& model) {
  std::vector<double> sums{0.0};
  for (const std::size_t s : by_capacity(model)) sums.push_back(sums.back() + server_capacity(model.servers[s]));
  return sums;
}

/// The load of all classes that falls within the slowest b servers, b = 0 .. all.
std::vector<double> drawn_loads(const scenario& model, const std::vector<double>& work) {
  std::vector<double> loads(total_servers(model) + 1);
  for (std::size_t at = 0; at < model.classes.size(); ++at) {
    const class_spec& c = model.classes[at];
    if (!draws(c)) continue;
    const std::vector<double> chance = chance_within(total_servers(model), c.drawn);
    for (std::size_t b = 0; b < loads.size(); ++b) loads[b] += c.rate * work[at] * chance[b];
  }
  return loads;
}

pooled_set hardest_among_draws(const scenario& model, const std::vector<double>& work) {
  const std::vector<double> loads = drawn_loads(model, work), capacities = slowest_capacities(model);
  std::size_t hardest = loads.size() - 1;
  for (std::size_t b = hardest; b > 0; --b)
    if (loads[b] / capacities[b] > loads[hardest] / capacities[hardest] * (1.0 + 1e-12)) hardest = b;
  pooled_set set{{}, std::vector<std::size_t>(model.servers.size()), loads[hardest], capacities[hardest]};
  for (std::size_t c = 0; c < model.classes.size(); ++c)
    if (draws(model.classes[c]) && model.classes[c].drawn <= hardest) set.classes.push_back(c);
  const std::vector<std::size_t> entries = by_capacity(model);
  for (std::size_t b = 0; b < hardest; ++b) ++set.servers[entries[b]];
  return set;
}

pooled_set set_of(const compatibility_graph& graph, const std::vector<std::size_t>& vertices, const scenario& model) {
  pooled_set set{{}, std::vector<std::size_t>(model.servers.size()), 0.0, capacity_of(graph, vertices)};
  const bool split = num_vertices(graph) != model.classes.size() + model.servers.size();
  std::vector<bool> counted(num_vertices(graph));
  for (const std::size_t v : vertices) {
    set.load += graph[v].load;
    if (set.classes.empty() || set.classes.back() != graph[v].index) set.classes.push_back(graph[v].index);
    for (const auto s : boost::make_iterator_range(adjacent_vertices(v, graph))) {
      if (!counted[s]) set.servers[graph[s].index] += split ? 1 : model.servers[graph[s].index].count;
      counted[s] = true;
    }
  }
  return set;
}

double ratio(const pooled_set& set) { return set.load / set.capacity; }

pooled_set hardest_in(const compatibility_graph& graph, const scenario& model) {
  return set_of(graph, find_bottleneck(graph).classes, model);
}

double highest_load_among_draws(const scenario& model, const std::vector<double>& work, std::size_t at) {
  const class_spec& c = model.classes[at];
  const std::vector<double> loads = drawn_loads(model, work), capacities = slowest_capacities(model);
  const std::vector<double> chance = chance_within(total_servers(model), c.drawn);
  double highest = std::numeric_limits<double>::infinity();
  for (std::size_t b = c.drawn; b < loads.size(); ++b) {
    const double others = loads[b] - c.rate * work[at] * chance[b];
    if (chance[b] > 0.0) highest = std::min(highest, (capacities[b] - others) / chance[b]);
  }
  return highest;
}

}  // namespace

std::vector<std::string> departures_from_pooled_model(const scenario& model) {
  std::vector<std::string> departures;
  const auto leaves = [&](bool does, const char* where) {
    if (does) departures.emplace_back(where);
  };
  const auto& first = model.classes.front();
  leaves(model.arrivals.kind != arrival_spec::process::poisson, "arrivals that are not Poisson");
  leaves(std::any_of(model.classes.begin(), model.classes.end(),
                     [](const class_spec& c) { return c.size.name() != "exponential"; }),
         "sizes that are not exponential");
  leaves(std::any_of(model.classes.begin(), model.classes.end(),
                     [&](const class_spec& c) { return c.size.mean() != first.size.mean(); }),
         "classes of different mean sizes");
  leaves(model.policy.name != "fcfs_pooled" &&
             (model.timers.kind != timer_spec::law::exponential || model.timers.tick > 0.0),
         "timers that are not exponential");
  for (std::string& word : feature_words(features_of(model))) departures.push_back(std::move(word));
  return departures;
}

std::string to_words(const pooled_set& set, const scenario& model) {
  constexpr std::size_t named = 6;
  const auto joined = [&](const std::vector<std::string>& names) {
    if (names.size() <= named) return fmt::format("{}", fmt::join(names, ", "));
    return fmt::format("{}, .. ({})", fmt::join(names.begin(), names.begin() + named, ", "), names.size());
  };
  std::vector<std::string> classes, servers;
  for (const std::size_t c : set.classes) classes.push_back(model.classes[c].name);
  bool all = true;
  for (std::size_t s = 0; s < model.servers.size(); ++s) {
    const server_spec& spec = model.servers[s];
    all = all && set.servers[s] == spec.count;
    if (set.servers[s] == 0) continue;
    servers.push_back(
        set.servers[s] == spec.count ? spec.name : fmt::format("{} ({} of {})", spec.name, set.servers[s], spec.count));
  }
  return joined(classes) + " on " + (all && servers.size() > 1 ? "all servers" : joined(servers));
}

hardest_pressed find_hardest_pressed(const scenario& model, const std::vector<double>& given) {
  const std::vector<double>& work = given.empty() ? mean_sizes(model) : given;
  if (none_draws(model)) return {hardest_in(make_compatibility_graph(model, work), model), true};
  if (all_draw(model)) return {hardest_among_draws(model, work), true};
  if (const auto split = make_split_graph(model, most_split_classes, work)) return {hardest_in(*split, model), true};
  const pooled_set whole = hardest_in(make_compatibility_graph(model, work), model),
                   drawn = hardest_among_draws(model, work);
  return {ratio(drawn) > ratio(whole) ? drawn : whole, false};
}

std::vector<pooled_class> examine_pooled_classes(const scenario& model) {
  const std::vector<demand> demands = demands_of(model);
  const std::vector<double> work = work_of(demands);
  const compatibility_graph graph = make_compatibility_graph(model, work);
  const std::vector<std::size_t> entries = by_capacity(model);
  std::vector<pooled_class> classes;
  for (std::size_t c = 0; c < model.classes.size(); ++c) {
    const class_spec& spec = model.classes[c];
    const double capacity = capacity_of(graph, {c});
    pooled_class examined{spec.name, demands[c].overhead, spec.rate * work[c], capacity, capacity, {}};
    std::optional<double> highest;
    if (none_draws(model)) highest = largest_load(graph, c);
    if (all_draw(model)) highest = highest_load_among_draws(model, work, c);
    if (highest) examined.highest_rate = std::max(0.0, *highest / work[c]);
    if (draws(spec))
      examined.fastest =
          std::accumulate(entries.rbegin(), entries.rbegin() + spec.drawn, 0.0,
                          [&](double sum, std::size_t s) { return sum + server_capacity(model.servers[s]); });
    classes.push_back(std::move(examined));
  }
  return classes;
}

std::vector<pooled_set> capacity_set(const scenario& model) {
  std::vector<pooled_set> sets;
  const std::size_t classes = model.classes.size();
  if (classes > 4 || !none_draws(model)) return sets;
  const compatibility_graph graph = make_compatibility_graph(model, work_of(demands_of(model)));
  for (std::size_t bits = 1; bits < std::size_t{1} << classes; ++bits) {
    std::vector<std::size_t> members;
    for (std::size_t c = 0; c < classes; ++c)
      if (bits >> c & 1) members.push_back(c);
    sets.push_back(set_of(graph, members, model));
  }
  return sets;
}

}  // namespace muster
