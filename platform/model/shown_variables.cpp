#include "platform/model/shown_variables.h"

#include <algorithm>

#include "platform/model/class_table.h"
#include "platform/model/replaceable_numbers.h"

namespace muster {

namespace {

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
