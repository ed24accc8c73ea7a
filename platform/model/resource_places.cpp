#include "platform/model/resource_places.h"

#include <algorithm>

#include <fmt/format.h>

#include "platform/model/class_table.h"

namespace muster {

namespace {

// @param amount of each resource, of devices their number @param of_cluster whether the cluster has it as a whole
std::vector<resource_place> places_of(const scenario& model, const amounts& amount, bool of_cluster) {
  std::vector<resource_place> places;
  const auto& types = model.resources.types;
  for (std::size_t r = 1; model.counts_tasks() && r < types.size(); ++r) {
    if (types[r].of_cluster != of_cluster) continue;
    if (!types[r].is_devices()) places.push_back({types[r].name, r, amount[r], false});
    for (std::uint64_t device = 0; types[r].is_devices() && device < amount[r]; ++device)
      places.push_back({fmt::format("{} {}", types[r].name, device), r, types[r].parts, true});
  }
  return places;
}

}  // namespace

std::vector<resource_place> places_of_server(const scenario& model, const server_spec& server) {
  return places_of(model, resources_of(model, server), false);
}

std::vector<resource_place> places_of_cluster(const scenario& model) {
  return places_of(model, model.resources.of_cluster, true);
}

std::vector<std::string> device_names(const std::vector<resource_place>& places) {
  std::vector<std::string> names;
  for (const resource_place& place : places)
    if (place.is_device) names.push_back(place.name);
  return names;
}

std::vector<std::string> devices_in_pictures(const scenario& model) {
  constexpr std::size_t most = 128;
  std::vector<std::string> names = device_names(places_of_cluster(model));
  names.resize(std::min(most, names.size()));
  return names;
}

}  // namespace muster
