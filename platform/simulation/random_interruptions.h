#pragma once

#include <vector>

#include "muster/modules/server/interruption_timer.h"
#include "muster/policies/prefetch.h"
#include "platform/model/scenario.h"

namespace muster {

/// Interruption timers of the servers of one entry, each with a random stream of its own: exponential of mean
/// theta / capacity (Balanced fairness, Section 4) or deterministic, rounded up to whole hardware ticks.
class random_interruptions final : public interruption_timer {
 public:
  /// @param theta mean work that a server does before it interrupts, > 0
  random_interruptions(const scenario& what, std::uint32_t replication, const server_spec& servers, double theta);

  ticks next(std::uint32_t server) override;
  void prefetch_next(std::uint32_t server) override;

 private:
  // With many servers each access to one costs a cache line.
  struct alignas(cache_line) server_stream : compact_random_stream {
    using compact_random_stream::compact_random_stream;
  };

  time_unit unit_;
  ticks tick_;
  distribution duration_;
  std::vector<server_stream> bits_;  // by server
};

}  // namespace muster
