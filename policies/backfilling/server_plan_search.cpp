#include <algorithm>

#include "muster/policies/backfilling/server_plan.h"

namespace muster {

// The first of the possible instants from which the job fits; end_of_clock: there is none.
ticks server_plan::earliest(const planned_job& j) {
  for (const auto [from, until] : begins_) {
    const ticks found = search(j, from, until);
    if (found < end_of_clock) return found;
  }
  return end_of_clock;
}

// The first instant, that given or a later one at which something begins or ends, from which the job fits.
ticks server_plan::search(const planned_job& j, ticks from, ticks before) {
  const planned_class& own = type(j);
  interval when = at(from, j);
  std::uint64_t all = 0;
  for (const std::uint32_t server : own.servers) all += (rooms_[server] = room_on(server, own, when)).tasks;
  auto comes_in = steps_.not_before(when.until);
  for (auto next = steps_.not_before(from + 1); all < own.need.tasks || !cluster_has(own, when);) {
    if (next.is_end() || next->at >= before) return end_of_clock;
    when = at(next->at, j);
    for (; !next.is_end() && next->at == when.from; ++next) count_from_begin(next->server, own, when, all);
    for (; !comes_in.is_end() && comes_in->at < when.until; ++comes_in)
      count_what_begins(comes_in->at, comes_in->server, own, when, all);
  }
  return when.from;
}

bool server_plan::fits_now(const planned_job& j) {
  const planned_class& own = type(j);
  const interval when = at(now_, j);
  if (!cluster_has(own, when)) return false;
  std::uint64_t all = 0;
  for (auto server = own.servers.begin(); server != own.servers.end() && all < own.need.tasks; ++server)
    all += room_on(*server, own, when).tasks;
  return all >= own.need.tasks;
}

bool server_plan::fits_where_named(const planned_job& j) {
  const planned_class& own = type(j);
  const interval when = at(now_, j);
  std::uint64_t all = 0;
  for (const named_tasks& part : j.named) {
    const std::uint32_t server = number(part.group, part.server);
    if (own.on_idle[server] == 0 || room_on(server, own, when).tasks < part.tasks) return false;
    all += part.tasks;
  }
  return all == own.need.tasks && cluster_has(own, when);
}

server_plan::room server_plan::room_on(std::uint32_t server, const planned_class& type, interval when) {
  const planned_server& s = servers_[server];
  if (s.down) return {0, end_of_clock};
  if (s.holds == 0) return {type.on_idle[server], end_of_clock};
  if (type.by_instant) return room_by_instant(server, type, when, type.on_idle[server]);
  return room_of_devices(server, type, when);
}

// The room of a class whose jobs need devices. An interval that begins before the end of a step has room for no more
// than what is left from that step on.
server_plan::room server_plan::room_of_devices(std::uint32_t server, const planned_class& type, interval when) {
  const planned_server& s = servers_[server];
  room found{type.on_idle[server], end_of_clock};
  s.free.least_from_each(when.from, when.until, least_, [&](ticks end) {
    const unsigned tasks = s.layout->tasks_that_fit(least_, type.need);
    if (tasks < found.tasks) found = {tasks, end};
    return tasks > 0;
  });
  return found;
}

// The room of a class whose jobs need no devices, or whole servers. @param most tasks, at most those on an idle server
server_plan::room server_plan::room_by_instant(std::uint32_t server, const planned_class& type, interval when,
                                               unsigned most) const {
  const planned_server& s = servers_[server];
  const std::uint64_t times = type.need.exclusive ? 1 : most;
  const auto found = s.free.times_at_once(when.from, when.until, type.each[s.name.group], times);
  return {found.times == times ? most : static_cast<unsigned>(found.times), found.until};
}

// Counts the tasks of a server on which something begins or ends as the interval begins.
void server_plan::count_from_begin(std::uint32_t server, const planned_class& type, interval when, std::uint64_t& all) {
  if (server == servers_.size() || type.on_idle[server] == 0 || when.from < rooms_[server].until) return;
  set_room(server, room_on(server, type, when), all);
}

// Counts the tasks of a server on which something begins or ends at an instant that has come into the interval.
void server_plan::count_what_begins(ticks at, std::uint32_t server, const planned_class& type, interval when,
                                    std::uint64_t& all) {
  if (server == servers_.size() || rooms_[server].tasks == 0 || type.on_idle[server] == 0) return;
  if (!type.by_instant) return set_room(server, room_on(server, type, when), all);
  const room here = room_by_instant(server, type, {at, at + 1}, rooms_[server].tasks);
  if (here.tasks < rooms_[server].tasks) set_room(server, here, all);
}

// @param all tasks that fit, of all servers
void server_plan::set_room(std::uint32_t server, room found, std::uint64_t& all) {
  all = all - rooms_[server].tasks + found.tasks;
  rooms_[server] = found;
}

bool server_plan::cluster_has(const planned_class& type, interval when) {
  if (!type.of_cluster) return true;
  of_cluster_.least(when.from, when.until, least_);
  return cluster_layout_->fits(least_, type.need.per_job);
}

}  // namespace muster
