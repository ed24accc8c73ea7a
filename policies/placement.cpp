#include "muster/policies/placement.h"

#include <algorithm>

namespace muster {

const placement_entry* find_placement(std::string_view name) {
  const auto& all = placement_catalogue();
  const auto found = std::find_if(all.begin(), all.end(), [&](const placement_entry* e) { return e->name == name; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace muster
