#include "platform/simulation/random_interruptions.h"

#include <algorithm>

#include <fmt/format.h>

namespace muster {

random_interruptions::random_interruptions(const scenario& what, std::uint32_t replication, const server_spec& servers,
                                           double theta)
    : unit_(what.unit),
      tick_(std::max<ticks>(1, unit_.to_ticks(what.timers.tick))),
      duration_(distribution::make(what.timers.kind == timer_spec::law::exponential ? "exponential" : "deterministic",
                                   {{what.timers.kind == timer_spec::law::exponential ? "mean" : "value",
                                     {theta / (servers.cores * servers.capacity)}}})) {
  bits_.reserve(servers.count);
  for (std::uint32_t n = 0; n < servers.count; ++n)
    bits_.emplace_back(what.run.seed, replication, fmt::format("server_{}[{}]", servers.name, n), "interruptions");
}

ticks random_interruptions::next(std::uint32_t server) {
  compact_random_stream& bits = bits_[server];
  const ticks exact = std::max<ticks>(1, unit_.to_ticks(duration_(bits)));
  return (exact + tick_ - 1) / tick_ * tick_;
}

void random_interruptions::prefetch_next(std::uint32_t server) { prefetch(&bits_[server]); }

}  // namespace muster
