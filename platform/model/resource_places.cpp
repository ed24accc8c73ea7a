#include "platform/model/resource_places.h"

#include <fmt/format.h>

#include "muster/policies/split_by_need.h"
#include "platform/model/class_table.h"

namespace muster {

std::vector<resource_place> places_of_server(const scenario& model, const server_spec& server) {
  std::vector<resource_place> places;
  if (!model.counts_tasks()) return places;
  const auto& types = model.resources.types;
  const amounts each = resources_of(model, server);
  for (std::size_t r = 1; r < types.size(); ++r) {
    if (types[r].of_cluster) continue;
    if (!types[r].is_devices()) places.push_back({types[r].name, r, each[r], false});
    for (std::uint64_t device = 0; types[r].is_devices() && device < each[r]; ++device)
      places.push_back({fmt::format("{} {}", types[r].name, device), r, types[r].parts, true});
  }
  return places;
}

std::vector<resource_place> places_of_cluster(const scenario& model) {
  std::vector<resource_place> places;
  const auto& types = model.resources.types;
  for (std::size_t r = 1; model.counts_tasks() && r < types.size(); ++r)
    if (types[r].of_cluster) places.push_back({types[r].name, r, model.resources.of_cluster[r], false});
  return places;
}

table<class_id, amounts> needs_of_cluster(const scenario& model) {
  const std::vector<resource_place> places = places_of_cluster(model);
  table<class_id, amounts> needs;
  if (places.empty()) return needs;
  for (const job_class& type : split_by_need(class_table(model)).first) {
    amounts& need = needs[needs.push_back(amounts(places.size()))];
    for (std::size_t n = 0; type.tasks && n < places.size(); ++n)
      if (places[n].resource < type.tasks->per_job.size()) need[n] = type.tasks->per_job[places[n].resource];
  }
  return needs;
}

}  // namespace muster
