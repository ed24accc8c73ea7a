#include "muster/policies/dispatching.h"

#include <algorithm>

namespace muster {

const dispatching_entry* find_dispatching(std::string_view name) {
  const auto& all = dispatching_catalogue();
  const auto found = std::find_if(all.begin(), all.end(), [&](const dispatching_entry* e) { return e->name == name; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace muster
