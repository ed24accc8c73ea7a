#include "muster/policies/backfilling/server_plan.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace muster {

static_assert(amount_profile::never == end_of_clock);

namespace {

bool needs_devices(const amounts& needed, const resource_layout& layout) {
  for (std::size_t r = 0; r < needed.size(); ++r)
    if (needed[r] > 0 && layout.parts(r) > 0) return true;
  return false;
}

// What a task holds in each place of a server, which has no devices for it; an exclusive job holds all.
amounts held_in_places(const task_need& need, const resource_layout& layout) {
  if (need.exclusive) return layout.all();
  amounts held(layout.places());
  for (std::size_t r = 0; r < need.per_task.size(); ++r)
    if (need.per_task[r] > 0) held[layout.first(r)] = need.per_task[r];
  return held;
}

// Whether devices are needed that have parts.
bool shares(const amounts& needed, const resource_layout& layout) {
  for (std::size_t r = 0; r < needed.size(); ++r)
    if (needed[r] > 0 && layout.parts(r) > 1) return true;
  return false;
}

}  // namespace

server_plan::server_plan(const cluster_view& cluster)
    : cluster_layout_(&cluster.inventory().of_cluster),
      of_cluster_(cluster_layout_->all()),
      outages_(cluster.planned_outages()) {
  const auto& groups = cluster.inventory().groups;
  for (const group_id g : id_range<group_id>{groups.size()}) {
    first_of_.push_back(static_cast<std::uint32_t>(servers_.size()));
    for (std::uint32_t n = 0; n < groups[g].servers; ++n)
      servers_.push_back({{g, n}, &groups[g].each, amount_profile(groups[g].each.all())});
  }
  for (const class_id id : cluster.classes()) {
    const amounts& per_job = cluster.tasks(id).per_job;
    const bool of_cluster =
        std::any_of(per_job.begin(), per_job.end(), [](std::uint64_t amount) { return amount > 0; });
    planned_class& own = classes_[classes_.push_back({cluster.tasks(id), of_cluster})];
    own.shares_devices = shares(per_job, *cluster_layout_);
    own.on_idle.resize(servers_.size());
    own.each = table<group_id, amounts>(groups.size());
    for (const group_id g : cluster.groups(id)) {
      const unsigned tasks = groups[g].each.tasks_that_fit(groups[g].each.all(), own.need);
      if (tasks == 0) continue;
      own.shares_devices = own.shares_devices || shares(own.need.per_task, groups[g].each);
      if (!own.need.exclusive && needs_devices(own.need.per_task, groups[g].each))
        own.by_instant = false;
      else
        own.each[g] = held_in_places(own.need, groups[g].each);
      for (std::uint32_t n = 0; n < groups[g].servers; ++n) {
        own.servers.push_back(number(g, n));
        own.on_idle[number(g, n)] = tasks;
        own.on_up += tasks;
      }
    }
  }
  rooms_.resize(servers_.size());
  for (const planned_outage& o : cluster.planned_outages()) {
    const std::uint32_t server = number(o.server.group, o.server.server);
    servers_[server].free.hold(o.from, o.until, servers_[server].layout->all());
    ++servers_[server].holds;
    note_step(o.from, server, true);
    note_step(o.until, server, true);
  }
}

reservation_plan::change server_plan::advance(rigid_view cluster) {
  now_ = cluster.now();
  while (!steps_.empty() && steps_.begin()->first <= now_) {
    for (const std::uint32_t server : steps_.begin()->second) free_on(server).advance(now_);
    steps_.erase(steps_.begin());
  }
  outages_.advance(now_, [&](const planned_outage& o, bool begins) {
    planned_server& s = servers_[number(o.server.group, o.server.server)];
    s.out = begins;
    if (!begins) --s.holds;
  });
  return find_down(cluster);
}

// Finds the servers that are down, and not as planned.
reservation_plan::change server_plan::find_down(rigid_view cluster) {
  seen_down_.clear();
  for (const server_name& s : cluster.servers_down())
    if (!servers_[number(s.group, s.server)].out) seen_down_.push_back(s);
  if (down_ == seen_down_) return change::none;
  for (const server_name& s : down_) set_down(number(s.group, s.server), false);
  down_.swap(seen_down_);
  for (const server_name& s : down_) set_down(number(s.group, s.server), true);
  const bool returned = std::any_of(seen_down_.begin(), seen_down_.end(), [&](const server_name& s) {
    return std::find(down_.begin(), down_.end(), s) == down_.end();
  });
  if (returned) given_back_.note(now_, end_of_clock);
  const bool less = std::any_of(down_.begin(), down_.end(), [&](const server_name& s) {
    return std::find(seen_down_.begin(), seen_down_.end(), s) == seen_down_.end();
  });
  return less ? change::less : change::more;
}

void server_plan::set_down(std::uint32_t server, bool down) {
  servers_[server].down = down;
  for (planned_class& type : classes_)
    type.on_up = down ? type.on_up - type.on_idle[server] : type.on_up + type.on_idle[server];
}

bool server_plan::reserve(planned_job& j) {
  planned_class& own = type(j);
  if (own.on_up < own.need.tasks) return false;
  if (reserve_where_named(j)) return true;
  own.known.find_begins(j.duration, given_back_, now_, begins_);
  const ticks begin = earliest(j);
  own.known.note(j.duration, begin, given_back_.count());
  if (begin == end_of_clock) return false;
  place(j, begin);
  return true;
}

bool server_plan::reserve_now(planned_job& j) {
  if (reserve_where_named(j)) return true;
  if (!fits_now(j)) return false;
  place(j, now_);
  return true;
}

// A reservation is the earliest one but for what has been given back since it was made. If its time overlaps none of
// that, the job would get the same servers and devices again, unless it shares these.
bool server_plan::reserve_anew(planned_job& j) {
  planned_class& own = type(j);
  const ticks begin = j.begin, end = j.end;
  given_back_.begins_since(j.placed, j.duration, begins_);
  const bool is_beside = !begins_.contains(begin) && !own.shares_devices;
  begins_.limit(now_, begin);
  if (!begins_.empty()) limit_to_known(j);
  if (is_beside && begins_.empty()) {
    j.placed = given_back_.count();
    return false;
  }
  take_back(j);
  const std::vector<task_placement> where = std::move(j.where);
  place(j, std::min(begin, earliest(j)));
  if (j.begin != begin || j.where != where) given_back_.note(begin, end);
  j.placed = given_back_.count();
  own.known.note(j.duration, j.begin, j.placed);
  return j.begin != begin;
}

// Removes instants at which jobs of the same need and no longer duration did not fit. Where the job overlaps its own
// reservation, that was in the way of these.
void server_plan::limit_to_known(const planned_job& j) {
  type(j).known.find_begins(j.duration, given_back_, now_, known_begins_);
  known_begins_.add(j.begin >= j.duration ? j.begin - j.duration + 1 : 0, end_of_clock);
  begins_.limit(known_begins_);
}

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
  auto comes_in = steps_.lower_bound(when.until);
  for (auto next = steps_.upper_bound(from); all < own.need.tasks || !cluster_has(own, when); ++next) {
    if (next == steps_.end() || next->first >= before) return end_of_clock;
    when = at(next->first, j);
    for (const std::uint32_t server : next->second) count_from_begin(server, own, when, all);
    for (; comes_in != steps_.end() && comes_in->first < when.until; ++comes_in)
      for (const std::uint32_t server : comes_in->second) count_what_begins(comes_in->first, server, own, when, all);
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

bool server_plan::reserve_where_named(planned_job& j) {
  if (j.named.empty() || !fits_where_named(j)) return false;
  begin_placing(j, now_);
  for (const named_tasks& part : j.named) place_on(j, number(part.group, part.server), part.tasks);
  end_placing(j);
  return true;
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
  s.free.least(when.from, when.until, least_);
  return {s.layout->tasks_that_fit(least_, type.need), when.from};
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

void server_plan::place(planned_job& j, ticks begin) {
  const planned_class& own = type(j);
  begin_placing(j, begin);
  unsigned left = own.need.tasks;
  for (auto server = own.servers.begin(); left > 0; ++server)
    left -= place_on(j, *server, std::min(left, room_on(*server, own, {j.begin, j.end}).tasks));
  end_placing(j);
}

void server_plan::begin_placing(planned_job& j, ticks begin) {
  const interval when = at(begin, j);
  j.begin = when.from;
  j.end = when.until;
  j.placed = given_back_.count();
  j.where.clear();
}

// Chooses what tasks of a job hold of a server on which they fit. @return how many they are
unsigned server_plan::place_on(planned_job& j, std::uint32_t server, unsigned tasks) {
  if (tasks == 0) return 0;
  planned_server& s = servers_[server];
  task_placement part{s.name.group, s.name.server, amounts(s.layout->places())};
  s.free.least(j.begin, j.end, least_);
  s.layout->take(least_, type(j).need, tasks, part.held);
  ++s.holds;
  j.where.push_back(std::move(part));
  return tasks;
}

void server_plan::end_placing(planned_job& j) {
  if (type(j).of_cluster) place_on_cluster(j);
  hold(j, j.begin, j.end);
}

void server_plan::place_on_cluster(planned_job& j) {
  task_placement part{whole_cluster, 0, amounts(cluster_layout_->places())};
  of_cluster_.least(j.begin, j.end, least_);
  cluster_layout_->take_of_job(least_, type(j).need.per_job, part.held);
  j.where.push_back(std::move(part));
}

void server_plan::hold(const planned_job& j, ticks from, ticks until) {
  for (const task_placement& part : j.where) {
    const std::uint32_t server = number_of(part);
    free_on(server).advance(now_);
    free_on(server).hold(from, until, part.held);
    note_step(from, server, true);
    note_step(until, server, true);
  }
}

void server_plan::release(const planned_job& j, ticks from, ticks until) {
  for (const task_placement& part : j.where) {
    const std::uint32_t server = number_of(part);
    free_on(server).advance(now_);
    free_on(server).release(from, until, part.held);
    note_step(from, server, false);
    note_step(until, server, false);
  }
}

// Notes that a hold on a server begins or ends at an instant to come, or that is withdrawn.
void server_plan::note_step(ticks at, std::uint32_t server, bool begins) {
  if (at <= now_ || at >= end_of_clock) return;
  const auto step = begins ? steps_.try_emplace(at).first : steps_.find(at);
  auto& servers = step->second;
  if (begins) {
    servers.push_back(server);
    return;
  }
  servers.erase(std::find(servers.begin(), servers.end(), server));
  if (servers.empty()) steps_.erase(step);
}

void server_plan::withdraw(planned_job& j) {
  if (const ticks from = std::max(now_, j.begin); from < j.end) given_back_.note(from, j.end);
  take_back(j);
}

void server_plan::take_back(planned_job& j) {
  release(j, std::max(now_, j.begin), j.end);
  for (const task_placement& part : j.where)
    if (part.group != whole_cluster) --servers_[number(part.group, part.server)].holds;
  j.begin = j.end = end_of_clock;
}

void server_plan::start(planned_job& j, rigid_decisions& decide) {
  decide.start_on(*j.of, j.where);
  j.named.clear();
}

void server_plan::extend(planned_job& j, ticks end) {
  hold(j, std::max(now_, j.end), end);
  j.end = end;
}

void server_plan::end(planned_job& j, ticks now) {
  now_ = now;
  withdraw(j);
}

}  // namespace muster
