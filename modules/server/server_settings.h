#pragma once

#include <iosfwd>

#include "muster/modules/server/server_costs.h"

namespace muster {

class fault_clock;
class interruption_timer;
class network;

/// What a server, or a bank of like servers, is given when it is built.
struct server_settings {
  std::uint32_t count = 1;  ///< servers in the bank, at least 1
  std::uint32_t cores = 1;  ///< of each server, at least 1; less than 2^31 in all
  server_costs costs{};
  interruption_timer* interruptions = nullptr;  ///< the servers' timers; outlives the bank; null: they have none
  fault_clock* faults = nullptr;                ///< outlives the bank; null: its servers never fail
  /// Over which migrating jobs' state comes, before the other overhead of its slice. Outlives the bank; null: its
  /// transfer is among the costs.
  network* fetch_over = nullptr;
  std::uint32_t first_in_network = 0;  ///< place of its first server among all of that network
};

/// @throws std::invalid_argument if there can be no such bank: what is wrong and what was expected
void check(const server_settings& s);

/// Prints each setting on a line, `name = value unit`, in the order of declaration.
std::ostream& operator<<(std::ostream& out, const server_settings& s);

}  // namespace muster
