#pragma once

#include <iosfwd>
#include <optional>

#include "muster/modules/server/server_costs.h"
#include "muster/policies/resource_layout.h"

namespace muster {

class fault_clock;
class interruption_timer;
class job_data_source;
class network;
class server_speeds;

/// The disk of a server, which keeps inputs of jobs that other jobs read as well.
struct server_disk {
  double ticks_per_byte = 0.0;  ///< that a read takes; 0: no time
  std::uint64_t cache = 0;      ///< bytes that it holds
};

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
  /// What rigid jobs read before their work and write after it, over `fetch_over`, which must have storage. It outlives
  /// the bank. Null: jobs have no data.
  job_data_source* data = nullptr;
  std::optional<server_disk> disk{};  ///< of each server; nothing: all inputs come over the network
};

/// Checks settings. @throws std::invalid_argument for invalid settings: what is wrong and what was expected
void check(const server_settings& s);

/// Prints each setting on a line, `name = value unit`, in the order of declaration.
std::ostream& operator<<(std::ostream& out, const server_settings& s);

}  // namespace muster
