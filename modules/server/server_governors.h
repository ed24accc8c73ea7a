#pragma once

#include <cstdint>
#include <vector>

#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/protocol/job_times.h"
#include "muster/modules/server/server_speeds.h"
#include "muster/policies/governor.h"

namespace muster {

/// Like servers of consecutive places, and what chooses their frequencies.
struct governed_bank {
  std::uint32_t count = 0;
  std::uint32_t cores = 0;                            ///< of each
  const governed_frequencies* frequencies = nullptr;  ///< null: their speed is not governed; else outlives the servers
};

/// Sets the speeds of servers by their governors, which choose among the frequencies that their cores have.
///
/// A governor that follows the load chooses anew at each instant at which the number of busy cores of its server has
/// changed, behind all other events of the instant but caps on power, see timer_rank::governor. Busy are cores that
/// slices hold, in overhead and while they save, too.
class server_governors final : private timer_observer {
 public:
  /// @param speeds of the same servers, which are set at once; outlives this object
  /// @param banks of all servers, in the order of their places
  server_governors(timekeeper& time, server_speeds& speeds, const std::vector<governed_bank>& banks);

  /// Whether a governor sets the speed of a server while it works, so that nothing else may.
  bool sets_speed(std::uint32_t server) const { return servers_[server].follows_load; }
  /// A slice moves from one stage to another. Called by the banks. @param server place among all servers
  void slice_moves(std::uint32_t server, std::uint32_t cores, slice_stage from, slice_stage to);

 private:
  struct server_state {
    std::uint32_t bank = 0;  // in banks_
    std::uint32_t busy = 0;
    bool follows_load = false, changed = false;
  };

  void expired(ticks now, std::uint32_t cookie) override;
  void choose(std::uint32_t server);

  timekeeper& time_;
  server_speeds& speeds_;
  std::vector<governed_bank> banks_;
  std::vector<server_state> servers_;
  std::vector<std::uint32_t> changed_;  // servers whose number of busy cores has changed at this instant
};

}  // namespace muster
