#include "platform/model/shown_variables.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <variant>

#include "muster/policies/cluster_state.h"
#include "platform/model/class_table.h"
#include "platform/model/scheduler_share.h"
#include "platform/random/policy_numbers.h"

namespace muster {

namespace {

double number_of(const settings::value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::get<double>(value);
}

double all_of(const scenario& model, std::size_t resource) {
  if (resource == 0) return static_cast<double>(total_cores(model));
  return model.resources.types[resource].of_cluster ? static_cast<double>(model.resources.all_of_cluster(resource))
                                                    : total_amount(model, resource);
}

// Whether the times of arrival are given, and no factor changes them.
bool fixes_arrivals(const scenario& model) {
  return model.arrivals.finite() || model.arrivals.entry->cycle ||
         std::any_of(model.classes.begin(), model.classes.end(),
                     [](const class_spec& c) { return c.slotted && c.slotted->deadline.law; });
}

}  // namespace

double replaceable_number::in(const settings& all) const {
  return all.has(name) ? number_of(all.at(name)) / scale : start;
}

settings::value replaceable_number::setting(double value) const {
  if (whole) return static_cast<std::int64_t>(value);
  return scale * value;
}

std::vector<replaceable_number> replaceable_numbers(const policy_entry& entry, const cluster_view& cluster,
                                                    const policy& runs, const settings& given, const time_unit& unit) {
  const settings complete = entry.complete(cluster, given);
  std::vector<replaceable_number> all;
  for (const parameter& p : entry.parameters) {
    if (!complete.has(p.name) || !runs.can_replace(p.name)) continue;
    replaceable_number n{std::string{p.name}, "", std::string{p.help}};
    if (const auto* whole = std::get_if<integer_parameter>(&p.type)) {
      n.whole = true;
      n.least = static_cast<double>(whole->lowest.at(cluster.all_cores()));
      n.most = static_cast<double>(whole->highest.at(cluster.all_cores()));
    } else if (const auto* number = std::get_if<number_parameter>(&p.type)) {
      if (number->unit == "time") n.unit = "s", n.scale = 1.0 / unit.seconds;
      if (number->unit == "1/time") n.unit = "1/s", n.scale = unit.seconds;
      n.least = number->lowest / n.scale;
      n.most = std::numeric_limits<double>::infinity();
    } else {
      continue;
    }
    n.start = n.in(complete);
    all.push_back(std::move(n));
  }
  return all;
}

std::vector<replaceable_number> replaceable_numbers(const scenario& model) {
  const policy_entry* const entry = find_policy(model.policy.name);
  if (!entry) return {};
  const scenario of_one = model.schedulers.several() ? share_of_scheduler(model, 0) : model;
  const cluster_state idle{class_table(of_one), group_cores(of_one), nullptr, 1, inventory_of(of_one)};
  policy_numbers none_drawn{0, 0};
  const settings given = policy_settings(of_one);
  try {
    return replaceable_numbers(*entry, idle, *entry->make(idle, given, none_drawn), given, model.unit);
  } catch (const policy_error&) {
    return {};
  }
}

std::vector<shown_variable> shown_variables(const scenario& model) {
  std::vector<shown_variable> all;
  for (const class_spec& c : model.classes) {
    all.push_back({"waiting." + c.name, "", false, true});
    all.push_back({"running." + c.name, "", false, true});
  }
  all.push_back({"arrived", "", false, true});
  all.push_back({"completed", "", false, true});
  for (std::size_t r = 0; r < model.resources.types.size(); ++r) {
    const resource_type& type = model.resources.types[r];
    if (all_of(model, r) == 0.0) continue;
    all.push_back({"in_use." + type.name, type.unit, false, type.parts <= 1});
    all.push_back({"utilization." + type.name});
  }
  for (const server_spec& s : model.servers) all.push_back({"up." + s.name, "", false, true});
  if (model.draws_power()) {
    all.push_back({"power", "W"});
    for (const server_spec& s : model.servers) all.push_back({"power." + s.name, "W"});
    all.push_back({"energy", "J"});
  }
  if (!fixes_arrivals(model)) all.push_back({"arrival_rate", "", true});
  for (const server_spec& s : model.servers) {
    if (!s.sets_own_speed()) all.push_back({"speed." + s.name, "", true});
    all.push_back({"in_service." + s.name, "", true, true});
  }
  if (std::any_of(model.servers.begin(), model.servers.end(), [](const server_spec& s) { return s.power.any(); })) {
    all.push_back({"power_cap", "W", true});
    if (model.servers.size() > 1)
      for (const server_spec& s : model.servers) all.push_back({"power_cap." + s.name, "W", true});
  }
  for (const replaceable_number& n : replaceable_numbers(model))
    all.push_back({"policy." + n.name, n.unit, true, n.whole});
  return all;
}

}  // namespace muster
