#include "muster/modules/scheduler/core_allocator.h"

#include <algorithm>
#include <limits>

namespace muster {

core_allocator::core_allocator(cluster_state& state, const table<group_id, server_group>& groups)
    : state_(state), locations_(locations_of(groups)) {
  for (const server_group& g : groups) free_servers_.push_back({g.count, g.cores});
}

const std::vector<placement>& core_allocator::place(const job& waiting) {
  placements_.clear();
  slowest_ = std::numeric_limits<double>::infinity();
  unsigned missing = state_.need(waiting.type);
  for (const group_id group : state_.type(waiting.type).groups) {
    if (state_.free_in(group) == 0) continue;
    slowest_ = std::min(slowest_, locations_[group].capacity);
    while (missing > 0 && state_.free_in(group) > 0) {
      const std::uint32_t server = free_server(group);
      const std::uint32_t cores = std::min(missing, idle_cores(group, server));
      placements_.push_back({group, server, cores});
      take(placements_.back());
      missing -= cores;
    }
    if (missing == 0) break;
  }
  return placements_;
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
