#include "platform/search/hardware_change.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/model/class_table.h"
#include "platform/model/data_spec.h"
#include "platform/model/job_kind.h"
#include "platform/toml/dotted_key.h"
#include "platform/toml/toml_value.h"

namespace muster {

namespace {

constexpr double faster = 1.1;  // capacity over that of before

template <class Value>
std::string setting_of(const std::vector<std::string>& path, Value value) {
  if constexpr (std::is_floating_point_v<Value>)
    return fmt::format("{}={}", join_key(path), float_literal(value));
  else
    return fmt::format("{}={}", join_key(path), value);
}

/// The changes of components of one kind, as they are found.
class changes {
 public:
  changes(std::string_view component, std::vector<hardware_change>& all) : component_(component), all_(all) {}
  void add(std::string words, std::vector<std::string> settings) {
    all_.push_back({std::string(component_), std::move(words), std::move(settings)});
  }
  template <class Value>
  void add(std::string words, const std::vector<std::string>& path, Value value) {
    add(std::move(words), std::vector<std::string>{setting_of(path, value)});
  }

 private:
  std::string_view component_;
  std::vector<hardware_change>& all_;
};

/// A kind of component.
struct component_entry {
  std::string_view name;
  void (*add)(const scenario& model, changes& to);
};

std::vector<std::string> path_of(const server_spec& s, std::vector<std::string> key) {
  std::vector<std::string> path{"platform", "servers", s.name};
  path.insert(path.end(), key.begin(), key.end());
  return path;
}

std::string in_each(const server_spec& s) { return fmt::format("in {}`{}`", s.count > 1 ? "each " : "", s.name); }

// The only server of a log may have the log's cores by default, which several servers have not: theirs are set.
void add_servers(const scenario& model, changes& to) {
  const bool may_have_default = total_servers(model) == 1 && (model.arrivals.jobs || model.arrivals.initial_jobs);
  for (const server_spec& s : model.servers) {
    std::vector<std::string> settings{setting_of(path_of(s, {"count"}), std::uint64_t{s.count} + 1)};
    if (may_have_default) settings.push_back(setting_of(path_of(s, {"cores"}), std::uint64_t{s.cores}));
    to.add(fmt::format("one more server of `{}`", s.name), std::move(settings));
  }
}

void add_cores(const scenario& model, changes& to) {
  for (const server_spec& s : model.servers)
    to.add("one more core " + in_each(s), path_of(s, {"cores"}), std::uint64_t{s.cores} + 1);
}

// The capacity that is written: a frequency that never changes counts in the one of the model.
double written_capacity(const server_spec& s) {
  if (!s.frequencies || s.frequencies->changes) return s.capacity;
  return s.capacity / s.frequencies->table[s.frequencies->row(s.cores, 0)].speed;
}

// A core does one unit of slotted jobs in a slot, whatever it is.
void add_speeds(const scenario& model, changes& to) {
  if (is_slotted(model)) return;
  for (const server_spec& s : model.servers)
    to.add(fmt::format("cores 10 % faster {}", in_each(s)), path_of(s, {"capacity"}), written_capacity(s) * faster);
}

// The next frequency where the scenario names one.
void add_frequencies(const scenario& model, changes& to) {
  for (const server_spec& s : model.servers) {
    if (!s.frequencies || !s.frequencies->governor->takes_frequency) continue;
    const std::size_t next = s.frequencies->fixed + 1;
    if (next < s.frequencies->table.rows().size())
      to.add("the next frequency " + in_each(s), path_of(s, {"frequency"}), s.frequencies->table[next].hertz);
  }
}

// One more scheduler, where there are several, or decisions take time and nothing forbids several.
void add_schedulers(const scenario& model, changes& to) {
  const bool decides = model.decision.fixed + model.decision.per_job + model.decision.per_dispatch > 0.0;
  const auto& shared = model.resources.of_cluster;
  const bool may_have_several = kind_of_jobs(model) == job_kind::rigid &&
                                std::all_of(shared.begin(), shared.end(), [](auto amount) { return amount == 0; });
  if (!may_have_several || !(decides || model.schedulers.several())) return;
  to.add("one more scheduler", {"platform", "schedulers", "count"}, std::uint64_t{model.schedulers.count} + 1);
}

// Twice the rate and the bytes of the disks that keep input.
void add_disks(const scenario& model, changes& to) {
  if (!model.data) return;
  for (const server_spec& s : model.servers) {
    const auto found = model.data->disks.find(s.name);
    if (found == model.data->disks.end()) continue;
    const disk_spec& disk = found->second;
    if (disk.rate) to.add("twice the rate of the disk " + in_each(s), path_of(s, {"disk", "rate"}), 2.0 * *disk.rate);
    if (disk.cache > 0.0)
      to.add("twice the cache on the disk " + in_each(s), path_of(s, {"disk", "cache"}), 2.0 * disk.cache);
  }
}

// One more device, or twice an amount.
void add_resources(const scenario& model, changes& to, bool devices) {
  const auto add = [&](const resource_type& type, const std::string& where, const std::vector<std::string>& path,
                       std::uint64_t has) {
    if (has == 0 || type.is_devices() != devices) return;
    to.add(fmt::format("{}{} {}", devices ? "one more " : "twice the ", type.name, where), path,
           devices ? has + 1 : 2 * has);
  };
  for (std::size_t r = 1; r < model.resources.types.size(); ++r) {
    const resource_type& type = model.resources.types[r];
    if (type.of_cluster)
      add(type, "of the cluster", {"platform", "resources", type.name, "amount"}, model.resources.of_cluster[r]);
    else
      for (const server_spec& s : model.servers)
        add(type, in_each(s), path_of(s, {"resources", type.name}), s.resources[r]);
  }
}

// The keys of the network's edges whose name has a word, with a value that is finite and above zero: of all edges, then
// of those that the topology describes.
std::vector<std::pair<std::string, double>> link_values(const scenario& model, std::string_view word) {
  const network_spec& network = model.network;
  std::vector<std::pair<std::string, double>> found;
  const auto add = [&](std::string_view key, double value) {
    if (key.find(word) != std::string_view::npos && value > 0.0 && std::isfinite(value)) found.emplace_back(key, value);
  };
  add("latency", network.link.latency);
  add("bandwidth", network.link.bandwidth.value_or(0.0));
  const std::vector<described_key> keys = network.shape->keys(total_servers(model));
  for (std::size_t k = 0; k < keys.size() && k < network.values.size(); ++k) add(keys[k].name, network.values[k]);
  return found;
}

// The edge to the storage, where its keys say how wide and how long it is.
const edge_spec* storage_edge(const scenario& model) {
  return model.data && !model.network.file ? &model.data->storage : nullptr;
}

void add_bandwidths(const scenario& model, changes& to) {
  for (const auto& [key, value] : link_values(model, "bandwidth"))
    to.add(fmt::format("twice the {} of links", key), {"platform", "link", key}, 2.0 * value);
  if (const edge_spec* const storage = storage_edge(model); storage && storage->bandwidth)
    to.add("twice the bandwidth of the storage", {"platform", "storage", "bandwidth"}, 2.0 * *storage->bandwidth);
}

void add_latencies(const scenario& model, changes& to) {
  for (const auto& [key, value] : link_values(model, "latency"))
    to.add(fmt::format("half the {} of links", key), {"platform", "link", key}, value / 2.0);
  if (const edge_spec* const storage = storage_edge(model); storage && storage->latency > 0.0)
    to.add("half the latency of the storage", {"platform", "storage", "latency"}, storage->latency / 2.0);
}

void add_decision(const scenario& model, changes& to) {
  std::vector<std::string> settings;
  for (const auto& [key, value] : {std::pair{"fixed", model.decision.fixed},
                                   {"per_job", model.decision.per_job},
                                   {"per_dispatch", model.decision.per_dispatch}})
    if (value > 0.0) settings.push_back(setting_of({"platform", "decision", key}, value / 2.0));
  if (!settings.empty()) to.add("half the decision time", std::move(settings));
}

void add_costs(const scenario& model, changes& to) {
  const cost_spec& costs = model.costs;
  const auto add = [&](const char* key, const char* words, double value, double factor) {
    if (value > 0.0) to.add(words, {"platform", "costs", key}, value * factor);
  };
  add("dispatch_latency", "half the dispatch latency", costs.dispatch_latency, 0.5);
  add("set_up", "half the set-up time", costs.set_up, 0.5);
  add("save", "half the time to save", costs.save, 0.5);
  add("restore", "half the time to restore", costs.restore, 0.5);
  add("migration", "half the fixed time to migrate", costs.migration, 0.5);
  add("bandwidth", "twice the bandwidth of migrations", costs.bandwidth.value_or(0.0), 2.0);
  add("epsilon", "half the share of a slot lost to a new job", costs.epsilon, 0.5);
}

/// The kinds of components. A new one is a row here.
constexpr component_entry components[] = {
    {"server", add_servers},
    {"core", add_cores},
    {"speed", add_speeds},
    {"frequency", add_frequencies},
    {"device", [](const scenario& model, changes& to) { add_resources(model, to, true); }},
    {"amount", [](const scenario& model, changes& to) { add_resources(model, to, false); }},
    {"disk", add_disks},
    {"bandwidth", add_bandwidths},
    {"latency", add_latencies},
    {"scheduler", add_schedulers},
    {"decision", add_decision},
    {"cost", add_costs},
};

}  // namespace

std::string hardware_change::setting() const { return fmt::format("{}", fmt::join(settings, "; ")); }

std::vector<hardware_change> hardware_changes(const scenario& model) {
  std::vector<hardware_change> all;
  for (const component_entry& c : components) {
    changes of_component(c.name, all);
    c.add(model, of_component);
  }
  return all;
}

}  // namespace muster
