#include "platform/simulation/random_faults.h"

#include <algorithm>

#include <fmt/format.h>

namespace muster {

random_faults::random_faults(const scenario& what, std::uint32_t replication, const server_spec& servers)
    : unit_(what.unit),
      up_{distribution::make("exponential", {{"mean", {servers.faults->to_failure}}}), {}},
      down_{distribution::make("exponential", {{"mean", {servers.faults->to_repair}}}), {}} {
  for (std::uint32_t n = 0; n < servers.count; ++n) {
    const std::string name = fmt::format("server_{}[{}]", servers.name, n);
    up_.bits.emplace_back(what.run.seed, replication, name, "failures");
    down_.bits.emplace_back(what.run.seed, replication, name, "repairs");
  }
}

ticks random_faults::to_failure(std::uint32_t server) { return next(up_, server); }

ticks random_faults::to_repair(std::uint32_t server) { return next(down_, server); }

ticks random_faults::next(durations& of, std::uint32_t server) const {
  return std::max<ticks>(1, unit_.to_ticks(of.law(of.bits[server])));
}

}  // namespace muster
