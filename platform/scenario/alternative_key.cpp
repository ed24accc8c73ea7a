#include "platform/scenario/alternative_key.h"

#include "muster/policies/catalogue.h"

namespace muster {

std::optional<std::vector<std::string>> alternative_key(const std::vector<std::string>& path) {
  using key = std::vector<std::string>;
  if (path == key{"arrivals", "rate"}) return key{"arrivals", "load"};
  if (path == key{"arrivals", "load"}) return key{"arrivals", "rate"};
  if (path.size() != 2 || path.front() != "policy") return std::nullopt;
  for (const policy_entry* entry : policy_catalogue())
    for (const parameter& p : entry->parameters) {
      if (p.instead_of.empty()) continue;
      if (path.back() == p.name) return key{"policy", std::string{p.instead_of}};
      if (path.back() == p.instead_of) return key{"policy", std::string{p.name}};
    }
  return std::nullopt;
}

}  // namespace muster
