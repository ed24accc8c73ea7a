#pragma once

#include "muster/policies/cluster_inventory.h"

namespace muster {

/// A time in which a server will be out of service, as is known beforehand. What runs there when it begins may go on,
/// or lose the server.
struct planned_outage {
  server_name server;
  ticks from;
  ticks until;         ///< its return, > from; end_of_clock: never
  unsigned cores = 0;  ///< of the server, as the scheduler sets it
};

}  // namespace muster
