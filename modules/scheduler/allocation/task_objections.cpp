#include <algorithm>

#include <fmt/format.h>

#include "muster/modules/scheduler/allocation/task_allocator.h"

// What a policy that places tasks itself may have wrong.

namespace muster {

std::optional<std::string> task_allocator::objection(class_id type, const std::vector<task_placement>& where) const {
  const task_need& needed = need(type);
  std::uint64_t tasks = 0;
  for (auto part = where.begin(); part != where.end(); ++part) {
    const bool on_server = part->group != whole_cluster;
    if (auto why = on_server ? objection_on(type, *part) : cluster_.objection(needed.per_job, part->held)) return why;
    const auto same = [&](const task_placement& p) { return p.group == part->group && p.server == part->server; };
    if (std::any_of(where.begin(), part, same) && !on_server) return "on the cluster twice; expected it once";
    if (std::any_of(where.begin(), part, same))
      return fmt::format("on server {} of group {} twice; expected each server once", part->server,
                         static_cast<std::uint32_t>(part->group));
    if (on_server) tasks += layouts_[part->group].tasks_that_fit(part->held, needed);
  }
  if (needed.exclusive ? tasks < needed.tasks : tasks != needed.tasks)
    return fmt::format("with room for {} tasks; expected {}", tasks, needed.tasks);
  for (std::size_t r = 0; r < needed.per_task.size() && !needed.exclusive; ++r) {
    std::uint64_t held = 0;
    for (const task_placement& part : where)
      if (part.group != whole_cluster) held += layouts_[part.group].free_of(r, part.held);
    if (held != needed.per_task[r] * needed.tasks)
      return fmt::format("with {} of resource {}; expected {}", held, r, needed.per_task[r] * needed.tasks);
  }
  return std::nullopt;
}

std::optional<std::string> task_allocator::objection_on(class_id type, const task_placement& part) const {
  const auto group = static_cast<std::uint32_t>(part.group);
  const auto& usable = state_.type(type).groups;
  if (std::find(usable.begin(), usable.end(), part.group) == usable.end())
    return fmt::format("on group {} of servers, which its class may not use", group);
  if (part.server >= servers_[part.group].size())
    return fmt::format("on server {} of group {}, which has {}", part.server, group, servers_[part.group].size());
  const server_state& s = servers_[part.group][part.server];
  if (s.down) return fmt::format("on server {} of group {}, which is down", part.server, group);
  if (part.held.size() != s.free.size())
    return fmt::format("in {} places of server {} of group {}, which has {}", part.held.size(), part.server, group,
                       s.free.size());
  for (std::size_t place = 0; place < s.free.size(); ++place)
    if (part.held[place] > s.free[place])
      return fmt::format("with {} in place {} of server {} of group {}, where {} are free", part.held[place], place,
                         part.server, group, s.free[place]);
  return std::nullopt;
}

}  // namespace muster
