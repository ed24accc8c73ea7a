#pragma once

#include <iosfwd>
#include <optional>

#include "muster/modules/server/server_costs.h"
#include "muster/policies/resource_layout.h"

namespace muster {

class fault_clock;
class interruption_timer;
class network;
class server_speeds;

/// Settings of a server, or of a bank of like servers.
struct server_settings {
  std::uint32_t count = 1;  ///< servers in the bank, at least 1
  std::uint32_t cores = 1;  ///< cores of each server, at least 1; less than 2^31 in all
  server_costs costs{};
  std::optional<resource_layout> resources{};   ///< of each server, its cores first; nothing: cores alone
  interruption_timer* interruptions = nullptr;  ///< the servers' timers; outlives the bank; null: they have none
  fault_clock* faults = nullptr;                ///< when servers fail; outlives the bank; null: they never fail
  /// The network over which the state of migrating jobs is fetched, before the other overhead of the slice. It outlives
  /// the bank. Null: the transfer is among the costs.
  network* fetch_over = nullptr;
  std::uint32_t first_in_network = 0;  ///< place of the bank's first server among those of the network and of `speeds`
  /// The speeds of the servers, which all banks of a cluster share; outlives the bank; null: the speed is always 1.
  server_speeds* speeds = nullptr;
};

/// Checks settings. @throws std::invalid_argument for invalid settings: what is wrong and what was expected
void check(const server_settings& s);

/// Prints each setting on a line, `name = value unit`, in the order of declaration.
std::ostream& operator<<(std::ostream& out, const server_settings& s);

}  // namespace muster
