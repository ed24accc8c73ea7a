#include "platform/model/resource_places.h"

#include <algorithm>

#include <fmt/format.h>

#include "platform/model/class_table.h"
#include "platform/toml/diagnostics.h"
#include "platform/toml/quantity.h"

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

std::string_view measured_by(std::string_view unit) {
  const auto& known = units_without_time();
  const auto found = std::find_if(known.begin(), known.end(), [&](const unit_of_measure& u) {
    return u.name == unit && u.numerator == 1.0 && u.denominator == 1.0;
  });
  return found == known.end() ? std::string_view{} : found->of;
}

std::string amount_text(const resource_type& type, std::uint64_t amount) {
  const auto number = static_cast<double>(amount);
  if (type.is_devices()) return shortest(number / static_cast<double>(type.parts));
  std::string best = shortest(number) + (type.unit.empty() ? "" : " " + type.unit);
  const std::string_view of = measured_by(type.unit);
  for (const unit_of_measure& unit : units_without_time()) {
    const double in_unit = number * unit.denominator / unit.numerator;
    if (unit.of != of || in_unit < 1.0) continue;
    // The unit in which the number is the shortest, of equals the larger.
    if (std::string text = shortest(in_unit) + " " + unit.name; text.size() <= best.size()) best = std::move(text);
  }
  return best;
}

}  // namespace muster
