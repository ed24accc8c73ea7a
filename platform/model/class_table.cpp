#include "platform/model/class_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include <boost/range/iterator_range.hpp>

#include "muster/policies/cluster_state.h"
#include "muster/policies/thrown_text.h"
#include "platform/model/compatibility_graph.h"
#include "platform/model/job_kind.h"
#include "platform/random/policy_numbers.h"

namespace muster {

namespace {

// Where the arrivals are wrong, rates and shares are not declared.
std::optional<double> declared(double number) {
  return number > 0.0 && std::isfinite(number) ? std::optional{number} : std::nullopt;
}

using ids_by_name = std::unordered_map<std::string_view, class_id>;

/// A setting as policies have it: classes by id.
struct converted_value {
  const ids_by_name& id_of;

  settings::value operator()(const std::vector<std::string>& class_names) const {
    std::vector<class_id> order;
    order.reserve(class_names.size());
    for (const std::string& name : class_names) order.push_back(id_of.at(name));
    return order;
  }
  template <class Value>
  settings::value operator()(const Value& value) const {
    return value;
  }
};

settings converted(const scenario& model, const setting_list& list, const ids_by_name& id_of) {
  settings all{model.policy.name};
  for (const auto& [name, value] : list) all.set(name, std::visit(converted_value{id_of}, value));
  return all;
}

}  // namespace

std::vector<std::size_t> by_descending_need(const scenario& model) {
  std::vector<std::size_t> order(model.classes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const class_spec& first = model.classes[a];
    const class_spec& second = model.classes[b];
    return std::tie(second.need, first.name) < std::tie(first.need, second.name);
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
    const bool listed = model.arrivals.kind == arrival_spec::process::list;
    classes.push_back({spec.name, spec.need, std::move(usable), spec.drawn, static_cast<std::uint64_t>(spec.state),
                       spec.slotted ? spec.slotted->worth : nullptr, listed ? std::nullopt : declared(spec.size.mean()),
                       model.arrivals.finite() ? std::nullopt : declared(spec.rate), declared(spec.share),
                       converted(model, spec.policy, {})});
  }
  return classes;
}

table<group_id, unsigned> group_cores(const scenario& model) {
  table<group_id, unsigned> cores;
  for (const server_span& g : server_groups(model)) cores.push_back(g.count * model.servers[g.entry].cores);
  return cores;
}

settings policy_settings(const scenario& model) {
  ids_by_name id_of;
  for (const std::size_t at : by_descending_need(model))
    id_of.emplace(model.classes[at].name, static_cast<class_id>(id_of.size()));
  return converted(model, model.policy.settings, id_of);
}

double work_between_interruptions(const scenario& model) {
  if (!is_pooled(model)) return std::numeric_limits<double>::infinity();
  const cluster_state idle{class_table(model), group_cores(model)};
  policy_numbers random{model.run.seed, 0};
  const auto make = [&] { return find_policy(model.policy.name)->make(idle, policy_settings(model), random); };
  return work_between_interruptions(*call_named(model.policy.name, "constructor", make));
}

}  // namespace muster
