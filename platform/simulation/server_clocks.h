#pragma once

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "muster/modules/server/fault_clock.h"
#include "muster/modules/server/interruption_timer.h"
#include "muster/policies/algorithms/prefetch.h"
#include "platform/model/scenario.h"

namespace muster {

/// Draws random durations of one law for the servers of one entry, each with a random stream of its own.
class server_durations {
 public:
  /// @param purpose of the streams
  server_durations(const scenario& model, std::uint32_t replication, const server_spec& servers, distribution law,
                   std::string_view purpose)
      : unit_(model.unit), law_(std::move(law)) {
    streams_.reserve(servers.count);
    for (std::uint32_t n = 0; n < servers.count; ++n)
      streams_.emplace_back(model.run.seed, replication, fmt::format("server_{}[{}]", servers.name, n), purpose);
  }

  /// @return at least one tick
  ticks next(std::uint32_t server) {
    compact_random_stream& bits = streams_[server];
    return std::max<ticks>(1, unit_.to_ticks(law_(bits)));
  }
  void prefetch_next(std::uint32_t server) { prefetch(&streams_[server]); }

 private:
  // One stream fills a cache line, which is what access to it costs where there are many servers.
  struct alignas(cache_line) stream : compact_random_stream {
    using compact_random_stream::compact_random_stream;
  };

  time_unit unit_;
  distribution law_;
  std::vector<stream> streams_;
};

inline distribution exponential_of(double mean) { return distribution::make("exponential", {{"mean", {mean}}}); }

/// Interruption timers of the servers of one entry: exponential of mean theta / capacity (Balanced fairness, Section 4)
/// or deterministic, rounded up to whole hardware ticks.
class random_interruptions final : public interruption_timer {
 public:
  /// @param theta mean work that a server does before it interrupts, > 0
  random_interruptions(const scenario& model, std::uint32_t replication, const server_spec& servers, double theta)
      : tick_(std::max<ticks>(1, model.unit.to_ticks(model.timers.tick))),
        durations_(model, replication, servers, law_of(model, theta / (servers.cores * servers.capacity)),
                   "interruptions") {}

  ticks next(std::uint32_t server) override { return (durations_.next(server) + tick_ - 1) / tick_ * tick_; }
  void prefetch_next(std::uint32_t server) override { durations_.prefetch_next(server); }

 private:
  static distribution law_of(const scenario& model, double mean) {
    return model.timers.kind == timer_spec::law::exponential ? exponential_of(mean)
                                                             : distribution::make("deterministic", {{"value", {mean}}});
  }

  ticks tick_;
  server_durations durations_;
};

/// Exponential times to failures and repairs of the servers of one entry.
class random_faults final : public fault_clock {
 public:
  /// @param servers with faults
  random_faults(const scenario& model, std::uint32_t replication, const server_spec& servers)
      : up_(model, replication, servers, exponential_of(servers.faults->to_failure), "failures"),
        down_(model, replication, servers, exponential_of(servers.faults->to_repair), "repairs") {}

  ticks to_failure(std::uint32_t server) override { return up_.next(server); }
  ticks to_repair(std::uint32_t server) override { return down_.next(server); }

 private:
  server_durations up_, down_;
};

}  // namespace muster
