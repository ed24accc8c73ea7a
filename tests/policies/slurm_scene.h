#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tests/oracles/backfilling.h"
#include "tests/policies/backfilling_scene.h"
#include "tests/policies/placing_scene.h"

namespace muster {

/// When each job starts, in seconds.
using starts = std::vector<ticks>;

inline const std::vector<resource_type> only_cores{{"cores"}};

/// What jobs of some classes need: a number of tasks, and the resources of each task.
struct tasks_of_class {
  unsigned tasks;
  amounts each;
};
inline std::vector<task_need> needs_of(const std::vector<tasks_of_class>& classes) {
  std::vector<task_need> needs;
  needs.reserve(classes.size());
  for (const tasks_of_class& c : classes) {
    task_need& need = needs.emplace_back();
    need.tasks = c.tasks;
    need.per_task = c.each;
  }
  return needs;
}

/// Two nodes of four cores. Classes 0 to 3: both nodes, three cores of both, three cores, one core.
/// @param tiers the PriorityTier of each class; empty: all have the same
inline placing_scene two_nodes(const placing_scene::changes& changed, const std::vector<planned_outage>& known = {},
                               const std::vector<std::int64_t>& tiers = {}) {
  std::vector<settings> of_classes(tiers.size());
  for (std::size_t n = 0; n < tiers.size(); ++n) of_classes[n].set("PriorityTier", tiers[n]);
  return {only_cores, {{2, {4}}}, {0},   needs_of({{2, {4}}, {2, {3}}, {1, {3}}, {1, {1}}}),
          "slurm",    changed,    known, of_classes};
}

/// Nodes of four cores and two GPUs.
inline placing_scene nodes_with_gpus(std::uint32_t nodes, const std::vector<tasks_of_class>& classes,
                                     const placing_scene::changes& changed) {
  return {{{"cores"}, {"gpu", 1}}, {{nodes, {4, 2}}}, {0, 0}, needs_of(classes), "slurm", changed};
}

/// A pool of cores, where jobs have users.
/// @param jobs arrival, size, cores and user of each
inline starts on_cores(std::uint64_t cores, const std::vector<std::array<std::uint64_t, 4>>& jobs, const char* policy,
                       const backfilling_scene::changes& changed) {
  oracle::backfill_cluster pool{{0}, {{{cores}}}, {}, {}};
  std::vector<oracle::backfill_job> given;
  for (const auto& [arrival, size, of_cores, user] : jobs) {
    given.push_back({arrival, size, size, pool.needs.size(), static_cast<std::uint32_t>(user)});
    pool.needs.push_back({1, {of_cores}});
  }
  return backfilling_scene(pool, policy, changed).run(given);
}

}  // namespace muster
