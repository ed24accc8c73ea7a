#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tests/policies/backfilling_scene.h"

namespace muster {

/// A job of schedule_on_pool().
struct estimated_job {
  ticks arrival;
  ticks size;
  ticks estimate;
  unsigned cores;
  std::uint32_t user = job::no_user;
};

/// Runs jobs on a pool of cores; those of equal need are a class. @param jobs in the order of their arrival
/// @return when each of them starts
inline std::vector<ticks> schedule_on_pool(unsigned cores, const std::vector<estimated_job>& jobs,
                                           std::string_view policy_name,
                                           const backfilling_scene::changes& changed = {}) {
  oracle::backfill_cluster pool;
  pool.servers = {{{cores}}};
  std::vector<oracle::backfill_job> given;
  for (const estimated_job& j : jobs) {
    const auto same = [&](const oracle::backfill_need& need) { return need.per_task.front() == j.cores; };
    const auto found = std::find_if(pool.needs.begin(), pool.needs.end(), same);
    given.push_back({j.arrival, j.size, j.estimate, static_cast<std::size_t>(found - pool.needs.begin()), j.user});
    if (found == pool.needs.end()) pool.needs.push_back({1, {j.cores}});
  }
  return backfilling_scene(pool, policy_name, changed).run(given);
}

}  // namespace muster
