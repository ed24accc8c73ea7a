#pragma once

#include <vector>

#include "muster/modules/server/fault_clock.h"
#include "platform/model/scenario.h"

namespace muster {

/// Failures and repairs of the servers of one entry, exponential both, each server with random streams of its own.
class random_faults final : public fault_clock {
 public:
  /// @param servers with faults
  random_faults(const scenario& what, std::uint32_t replication, const server_spec& servers);

  ticks to_failure(std::uint32_t server) override;
  ticks to_repair(std::uint32_t server) override;

 private:
  /// Durations of one kind, by server.
  struct durations {
    distribution law;
    std::vector<compact_random_stream> bits;
  };
  ticks next(durations& of, std::uint32_t server) const;

  time_unit unit_;
  durations up_, down_;
};

}  // namespace muster
