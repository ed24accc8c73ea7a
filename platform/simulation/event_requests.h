#pragma once

#include <vector>

#include "muster/modules/control/control_request.h"
#include "muster/policies/ticks.h"
#include "platform/model/scenario.h"

namespace muster {

/// What is requested of a cluster_control at a given time.
struct timed_request {
  ticks at = 0;
  control_request what{};
};

/// What the events of a scenario request, in the order of time. Of events of one instant those of servers come first,
/// by entry, then rates, caps on power and parameters. Servers of consecutive places that do the same at one instant
/// share a request.
std::vector<timed_request> requests_of_events(const scenario& model);

}  // namespace muster
