#include "muster/modules/server/server_settings.h"

#include <cmath>
#include <ostream>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "muster/modules/server/server_speeds.h"

namespace muster {

void check(const server_settings& s) {
  using refusal = std::invalid_argument;
  constexpr std::uint64_t most = std::uint64_t{1} << 31;  // numbers of cores and slices have 31 bits
  if (s.count == 0) throw refusal("a bank has 0 servers; expected at least 1");
  if (s.cores == 0) throw refusal("servers have 0 cores; expected at least 1 each");
  if (std::uint64_t{s.count} * s.cores >= most)
    throw refusal(
        fmt::format("{} servers of {} cores each; expected less than {} cores in all", s.count, s.cores, most));
  if (!(s.costs.ticks_per_byte >= 0.0) || !std::isfinite(s.costs.ticks_per_byte))
    throw refusal(fmt::format("a byte of state takes {} ticks; expected a number >= 0", s.costs.ticks_per_byte));
  const std::uint64_t end = std::uint64_t{s.first_in_network} + s.count;
  if (s.fetch_over && end > s.fetch_over->server_count())
    throw refusal(fmt::format("servers {} to {} of a network that has {}; expected servers of it", s.first_in_network,
                              end - 1, s.fetch_over->server_count()));
  if (s.data && !(s.fetch_over && s.fetch_over->has_storage()))
    throw refusal("jobs have data, and there is no storage; expected a network with a vertex of storage");
  if (s.disk && (!(s.disk->ticks_per_byte >= 0.0) || !std::isfinite(s.disk->ticks_per_byte)))
    throw refusal(fmt::format("a disk takes {} ticks for a byte; expected a number >= 0", s.disk->ticks_per_byte));
  if (s.speeds && end > s.speeds->server_count())
    throw refusal(fmt::format("servers {} to {} of speeds of {} servers; expected servers of them", s.first_in_network,
                              end - 1, s.speeds->server_count()));
}

std::ostream& operator<<(std::ostream& out, const server_settings& s) {
  const server_costs& c = s.costs;
  out << fmt::format("count = {} servers\n", s.count) << fmt::format("cores = {} cores\n", s.cores)
      << fmt::format("costs.dispatch_latency = {} ticks\n", c.dispatch_latency)
      << fmt::format("costs.set_up = {} ticks\n", c.set_up) << fmt::format("costs.restore = {} ticks\n", c.restore)
      << fmt::format("costs.migration = {} ticks\n", c.migration)
      << fmt::format("costs.ticks_per_byte = {} ticks\n", c.ticks_per_byte)
      << fmt::format("costs.save = {} ticks\n", c.save)
      << (c.sleep_after < end_of_clock ? fmt::format("costs.sleep_after = {} ticks\n", c.sleep_after)
                                       : "costs.sleep_after = never\n")
      << fmt::format("costs.wake = {} ticks\n", c.wake) << fmt::format("costs.checkpoint = {} ticks\n", c.checkpoint);
  if (s.resources) out << fmt::format("resources = {}\n", fmt::join(s.resources->all(), ", "));
  out << "interruptions = " << (s.interruptions ? "by timers\n" : "none\n")
      << "faults = " << (s.faults ? "by a clock\n" : "none\n")
      << "speeds = " << (s.speeds ? "may change\n" : "always 1\n");
  if (s.data) out << "data = from a storage\n";
  if (s.disk)
    out << fmt::format("disk.ticks_per_byte = {} ticks\n", s.disk->ticks_per_byte)
        << fmt::format("disk.cache = {} bytes\n", s.disk->cache);
  if (!s.fetch_over) return out << "fetch_over = none\n";
  return out << "fetch_over = a network\n" << fmt::format("first_in_network = server {}\n", s.first_in_network);
}

}  // namespace muster
