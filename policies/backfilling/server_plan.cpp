#include "muster/policies/backfilling/server_plan.h"

#include <algorithm>
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
      planned_(cluster.planned_outages()),
      outages_(planned_) {
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
  hold_planned_outages();
}

// Holds servers whole during what is to come of their planned outages.
void server_plan::hold_planned_outages() {
  for (const planned_outage& o : planned_) {
    if (o.until <= now_) continue;
    const std::uint32_t server = number(o.server.group, o.server.server);
    const ticks from = std::max(now_, o.from);
    servers_[server].free.hold(from, o.until, servers_[server].layout->all());
    ++servers_[server].holds;
    note_step(from, server, true);
    note_step(o.until, server, true);
  }
}

reservation_plan::change server_plan::advance(rigid_view cluster) {
  pass_time(cluster.now());
  outages_.advance(now_, [&](const planned_outage& o, bool begins) {
    planned_server& s = servers_[number(o.server.group, o.server.server)];
    s.out = begins;
    if (!begins) --s.holds;
  });
  return find_down(cluster);
}

void server_plan::pass_time(ticks now) {
  now_ = now;
  steps_.remove_until(now_, [&](std::uint32_t server) { free_on(server).advance(now_); });
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
  if (begins)
    steps_.add(at, server);
  else
    steps_.remove(at, server);
}

void server_plan::withdraw(planned_job& j) {
  if (const ticks from = std::max(now_, j.begin); from < j.end) given_back_.note(from, j.end);
  take_back(j);
}

// The holds of running jobs are made anew where fewer jobs run than have reservations.
void server_plan::withdraw_all(const std::vector<planned_job*>& jobs, const running_jobs& running) {
  if (jobs.size() <= running.size() + planned_.size() + servers_.size())
    return reservation_plan::withdraw_all(jobs, running);
  for (planned_job* j : jobs) j->begin = j->end = end_of_clock;
  for (planned_server& s : servers_) {
    s.free.release_all(s.layout->all(), now_);
    s.holds = 0;
  }
  of_cluster_.release_all(cluster_layout_->all(), now_);
  steps_.clear();
  hold_planned_outages();
  for (const planned_job* j : running) {
    hold(*j, now_, j->end);
    count_holds(*j);
  }
  for (planned_class& type : classes_) type.known.clear();
  given_back_.note(now_, end_of_clock);
}

void server_plan::count_holds(const planned_job& j) {
  for (const task_placement& part : j.where)
    if (part.group != whole_cluster) ++servers_[number_of(part)].holds;
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
