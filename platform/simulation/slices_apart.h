#pragma once

#include <algorithm>

#include "platform/model/class_table.h"
#include "platform/model/network_topology.h"
#include "platform/model/scenario.h"

namespace muster {

/// Whether slices of one job may end at different instants, as something differs from server to server: the way of
/// messages, data, the speed, waking, or whether a job's state is there. Other overheads are those of all its slices.
inline bool slices_may_end_apart(const scenario& model) {
  const bool wakes = std::any_of(model.servers.begin(), model.servers.end(),
                                 [](const server_spec& s) { return s.power.sleep_after && s.power.wake > 0.0; });
  const bool state_is_fetched = model.costs.restore > 0.0 || model.costs.migration > 0.0 || model.costs.bandwidth;
  return total_servers(model) > 1 &&
         (has_network(model) || model.speeds_change() || model.controlled || wakes || state_is_fetched);
}

}  // namespace muster
