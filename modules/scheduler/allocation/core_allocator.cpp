#include "muster/modules/scheduler/allocation/core_allocator.h"

#include <algorithm>
#include <limits>

namespace muster {

core_allocator::core_allocator(cluster_state& state, const table<group_id, server_group>& groups)
    : state_(state), locations_(locations_of(groups)) {
  std::size_t servers = 0;
  for (const server_group& g : groups) {
    free_servers_.push_back({g.count, g.cores});
    servers += g.count;
  }
  placements_.resize(servers);
}

unsigned core_allocator::place(const job& waiting) {
  placed_ = 0;
  slowest_ = std::numeric_limits<double>::infinity();
  unsigned missing = state_.need(waiting.type);
  for (const group_id group : state_.type(waiting.type).groups) {
    const unsigned free = state_.free_in(group);
    if (free == 0) continue;
    const group_location& at = locations_[group];
    slowest_ = std::min(slowest_, at.capacity);
    const unsigned taken = std::min(missing, free);
    if (at.servers == 1)
      add({group, 0, taken});
    else
      place_on_servers(group, taken);
    missing -= taken;
    if (missing == 0) break;
  }
  return placed_;
}

void core_allocator::place_on_servers(group_id group, unsigned cores) {
  free_servers& servers = free_servers_[group];
  while (cores > 0) {
    const std::uint32_t server = servers.first();
    const std::uint32_t taken = std::min(cores, servers.cores(server));
    servers.take(server, taken);
    add({group, server, taken});
    cores -= taken;
  }
}

void core_allocator::server_fails(group_id group, std::uint32_t server) {
  const std::uint32_t cores = idle_cores(group, server);
  if (cores > 0) take({group, server, cores});
  down_[server_number(group, server)] = cores;
}

void core_allocator::server_is_repaired(group_id group, std::uint32_t server) {
  const auto withheld = down_.find(server_number(group, server));
  if (withheld->second > 0) set_free({group, server, withheld->second});
  down_.erase(withheld);
}

bool core_allocator::withhold(const placement& at) {
  const auto found = down_.find(server_number(at.group, at.server));
  if (found == down_.end()) return false;
  found->second += at.cores;
  return true;
}

}  // namespace muster
