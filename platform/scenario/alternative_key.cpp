#include "muster/policies/catalogue.h"
#include "platform/scenario/scenario_schema.h"

namespace muster {

namespace {

std::optional<std::string_view> alternative(const std::vector<parameter>& parameters, std::string_view name) {
  for (const parameter& p : parameters) {
    if (p.instead_of.empty()) continue;
    if (name == p.name) return p.instead_of;
    if (name == p.instead_of) return p.name;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<std::string>> alternative_key(const std::vector<std::string>& path) {
  using key = std::vector<std::string>;
  if (path == key{"arrivals", "rate"}) return key{"arrivals", "load"};
  if (path == key{"arrivals", "load"}) return key{"arrivals", "rate"};
  const bool of_policy = path.size() == 2 && path.front() == "policy";
  const bool of_class = path.size() > 3 && path.front() == "classes" && path[path.size() - 2] == "policy";
  if (!of_policy && !of_class) return std::nullopt;
  for (const policy_entry* entry : policy_catalogue()) {
    const auto other = alternative(of_policy ? entry->parameters : entry->class_parameters, path.back());
    if (!other) continue;
    key replaced = path;
    replaced.back() = *other;
    return replaced;
  }
  return std::nullopt;
}

}  // namespace muster
