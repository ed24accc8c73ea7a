#include "platform/model/class_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>

#include <boost/range/iterator_range.hpp>

#include "muster/policies/cluster_state.h"
#include "muster/policies/thrown_text.h"
#include "platform/model/compatibility_graph.h"
#include "platform/model/job_kind.h"
#include "platform/model/network_topology.h"
#include "platform/model/resource_load.h"
#include "platform/random/policy_numbers.h"

namespace muster {

namespace {

// A rate, share or mean as classes declare it to policies: none where the arrivals are wrong.
std::optional<double> declared(double number) {
  return number > 0.0 && std::isfinite(number) ? std::optional{number} : std::nullopt;
}

// What all servers or the cluster have of a resource, devices as whole ones.
double whole_units(const scenario& model, std::size_t resource) {
  const resource_type& type = model.resources.types[resource];
  if (type.of_cluster) return static_cast<double>(model.resources.of_cluster[resource]);
  return total_amount(model, resource) / static_cast<double>(std::max<std::uint64_t>(type.parts, 1));
}

settings settings_in(const scenario& model, const setting_list& list) {
  settings all{model.policy.name};
  for (const auto& [name, value] : list) all.set(name, value);
  return all;
}

// What a job holds at once, with its share; nothing: cores alone.
std::optional<task_need> tasks_of(const scenario& model, const class_spec& c) {
  std::optional<task_need> tasks = c.tasks;
  if (tasks) tasks->share = share_of_job(model, c);
  return tasks;
}

// The needs that jobs of the class bring, besides its own.
std::vector<job_need> submitted_needs(const scenario& model, const class_spec& c) {
  std::vector<job_need> needs;
  double jobs = 0.0;
  for (const listed_need& n : c.listed) jobs += static_cast<double>(n.jobs);
  class_spec alone = c;
  alone.listed.clear();
  for (std::size_t n = 1; n < c.listed.size(); ++n) {
    alone.tasks = c.listed[n].need.tasks;
    needs.push_back(
        {c.listed[n].need.cores, tasks_of(model, alone), c.share * static_cast<double>(c.listed[n].jobs) / jobs});
  }
  return needs;
}

}  // namespace

std::vector<std::size_t> by_descending_need(const scenario& model) {
  std::vector<double> needs;
  for (const class_spec& c : model.classes) needs.push_back(c.tasks ? share_of_job(model, c) : c.need);
  std::vector<std::size_t> order(model.classes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(needs[b], model.classes[a].name) < std::tie(needs[a], model.classes[b].name);
  });
  return order;
}

std::uint64_t total_servers(const scenario& model) {
  std::uint64_t servers = 0;
  for (const server_spec& s : model.servers) servers += s.count;
  return servers;
}

double total_capacity(const scenario& model) {
  double capacity = 0.0;
  for (const server_spec& s : model.servers) capacity += s.capacity * s.count * s.cores;
  return capacity;
}

std::uint64_t total_cores(const scenario& model) {
  std::uint64_t cores = 0;
  for (const server_spec& s : model.servers) cores += std::uint64_t{s.count} * s.cores;
  return cores;
}

double total_amount(const scenario& model, std::size_t resource) {
  double sum = 0.0;
  for (const server_spec& s : model.servers) sum += s.count * static_cast<double>(resources_of(model, s)[resource]);
  const resource_type& type = model.resources.types[resource];
  return type.is_devices() ? sum * static_cast<double>(type.parts) : sum;
}

table<group_id, server_span> server_groups(const scenario& model) {
  const bool one_by_one =
      std::any_of(model.classes.begin(), model.classes.end(), [](const class_spec& c) { return c.drawn > 0; });
  table<group_id, server_span> groups;
  for (std::size_t entry = 0; entry < model.servers.size(); ++entry) {
    const std::uint32_t count = model.servers[entry].count;
    const std::uint32_t each = one_by_one ? 1 : count;
    for (std::uint32_t first = 0; first < count; first += each) groups.push_back({entry, first, each});
  }
  return groups;
}

table<class_id, job_class> class_table(const scenario& model) {
  const compatibility_graph graph = make_compatibility_graph(model);
  const auto users = [&](std::size_t entry) { return out_degree(model.classes.size() + entry, graph); };
  const table<group_id, server_span> groups = server_groups(model);
  table<class_id, job_class> classes;
  for (const std::size_t at : by_descending_need(model)) {
    const class_spec& spec = model.classes[at];
    std::vector<bool> compatible(model.servers.size());
    for (const auto server : boost::make_iterator_range(adjacent_vertices(at, graph)))
      compatible[graph[server].index] = true;
    std::vector<group_id> usable;
    for (const group_id g : id_range<group_id>{groups.size()})
      if (compatible[groups[g].entry]) usable.push_back(g);
    std::stable_sort(usable.begin(), usable.end(),
                     [&](group_id a, group_id b) { return users(groups[a].entry) < users(groups[b].entry); });
    const bool listed =
        model.arrivals.kind == arrival_spec::process::list || model.arrivals.kind == arrival_spec::process::log;
    classes.push_back({spec.name, spec.need, std::move(usable), spec.drawn, static_cast<std::uint64_t>(spec.state),
                       spec.slotted ? spec.slotted->worth : nullptr, listed ? std::nullopt : declared(spec.size.mean()),
                       model.arrivals.finite() ? std::nullopt : declared(spec.rate), declared(spec.share),
                       settings_in(model, spec.policy), tasks_of(model, spec), submitted_needs(model, spec)});
  }
  return classes;
}

table<group_id, unsigned> group_cores(const scenario& model) {
  table<group_id, unsigned> cores;
  for (const server_span& g : server_groups(model)) cores.push_back(g.count * model.servers[g.entry].cores);
  return cores;
}

amounts resources_of(const scenario& model, const server_spec& server) {
  amounts all = server.resources;
  all.resize(model.resources.types.size());
  all.front() = server.cores;
  return all;
}

cluster_inventory inventory_of(const scenario& model) {
  cluster_inventory all;
  if (!model.counts_tasks()) return all;
  all.of_cluster = resource_layout::of_cluster(model.resources);
  for (const server_span& g : server_groups(model))
    all.groups.push_back({g.count, {model.resources.types, resources_of(model, model.servers[g.entry])}});
  return all;
}

settings policy_settings(const scenario& model) { return settings_in(model, model.policy.settings); }

bool may_preempt(const scenario& model) {
  const policy_entry* const entry = find_policy(model.policy.name);
  return entry && entry->preempts && entry->may_preempt(policy_settings(model));
}

bool may_kill_for_good(const scenario& model) {
  const policy_entry* const entry = find_policy(model.policy.name);
  return entry && entry->kills_for_good &&
         std::any_of(model.classes.begin(), model.classes.end(), [&](const class_spec& c) {
           return entry->may_kill_for_good(policy_settings(model), settings_in(model, c.policy));
         });
}

double rate_until_last(const scenario& model) {
  if (!model.arrivals.jobs) return model.arrivals.rate;
  if (model.arrivals.only_initial()) return 0.0;
  const double last = model.arrivals.jobs->back().arrival;
  return last > 0.0 ? static_cast<double>(model.arrivals.jobs->size()) / last : 0.0;
}

double price_of_hardware(const scenario& model) {
  const price_spec& price = *model.price;
  double sum = price.core * static_cast<double>(total_cores(model));
  for (std::size_t s = 0; s < model.servers.size(); ++s) sum += price.servers[s] * model.servers[s].count;
  for (std::size_t r = 0; r < price.resources.size(); ++r) sum += price.resources[r] * whole_units(model, r);
  if (price.link > 0.0) sum += price.link * static_cast<double>(num_edges(make_network_graph(model)));
  return sum;
}

double work_between_interruptions(const scenario& model) {
  if (!is_pooled(model)) return std::numeric_limits<double>::infinity();
  const cluster_state idle{class_table(model), group_cores(model)};
  policy_numbers random{model.run.seed, 0};
  const auto make = [&] { return find_policy(model.policy.name)->make(idle, policy_settings(model), random); };
  return work_between_interruptions(*call_named(model.policy.name, "constructor", make));
}

}  // namespace muster
