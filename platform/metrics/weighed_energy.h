#pragma once

#include <algorithm>

#include "platform/model/scenario.h"

namespace muster {

/// Whether a scenario has a choice between energy and time: frequencies, a cap on power, or what energy costs or emits.
inline bool weighs_energy(const scenario& model) {
  return !model.power_caps.empty() || (model.price && (model.price->energy || model.price->carbon)) ||
         std::any_of(model.servers.begin(), model.servers.end(),
                     [](const server_spec& s) { return s.frequencies != nullptr; });
}

}  // namespace muster
