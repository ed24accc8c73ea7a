#include "platform/model/replaceable_numbers.h"

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

}  // namespace muster
