#include "muster/modules/scheduler/allocation/task_allocator.h"

#include <algorithm>
#include <limits>

#include "muster/policies/device_use.h"

namespace muster {

task_allocator::task_allocator(cluster_state& state, const table<group_id, server_group>& groups,
                               const cluster_resources& resources, const placement_entry& rule, random_numbers* random,
                               const server_racks* racks)
    : state_(state),
      rule_(rule),
      random_(random),
      racks_(racks),
      users_(groups.size()),
      states_(groups.size()),
      cluster_(resources),
      largest_(resources.types.size()),
      device_number_(resources.types.size()) {
  for (const resource_type& type : resources.types) of_cluster_.push_back(type.of_cluster);
  for (std::size_t r = 0; r < resources.types.size(); ++r) {
    device_number_[r] = devices_.size();
    if (resources.types[r].is_devices() && !resources.types[r].of_cluster) devices_.push_back(r);
  }
  levels_.resize(largest_.size() + devices_.size() * (1 + state.class_count()));
  for (const server_group& g : groups) {
    amounts each = g.resources;
    if (each.empty()) each.push_back(g.cores);
    const resource_layout& layout = layouts_[layouts_.push_back({resources.types, each})];
    servers_.push_back(std::vector<server_state>(g.count, {layout.all(), amounts(levels_.size())}));
    for (std::size_t r = 0; r < largest_.size(); ++r)
      largest_[r] = std::max(largest_[r], layout.free_of(r, layout.all()));
  }
  for (const class_id id : state.classes()) {
    fitting_tasks& fits = fitting_[fitting_.push_back({})];
    for (const group_id g : id_range<group_id>{groups.size()}) {
      const auto& usable = state.type(id).groups;
      const bool may_use = std::find(usable.begin(), usable.end(), g) != usable.end();
      const unsigned each = may_use ? layouts_[g].tasks_that_fit(layouts_[g].all(), need(id)) : 0;
      if (may_use) users_[g].push_back(id);
      fits.servers.push_back({groups[g].count, each});
      fits.of_group.push_back(std::uint64_t{groups[g].count} * each);
      if (rule.choose && !rule.score) fits.ranked.push_back(ranking_of(racks_, g, groups[g].count, each));
      fits.all += fits.of_group[g];
    }
    const amounts& of_cluster = need(id).per_job;
    if (std::any_of(of_cluster.begin(), of_cluster.end(), [](std::uint64_t a) { return a > 0; }))
      users_of_cluster_.push_back(id);
    std::uint64_t needed = 0;
    for (std::size_t r = 0; r < need(id).per_task.size(); ++r) needed |= std::uint64_t{need(id).per_task[r] > 0} << r;
    needed_.push_back(needed);
    show_fitting(id);
  }
  if (rule.counts_alike) number_needs();
  for (const group_id g : id_range<group_id>{groups.size()})
    for (std::uint32_t server = 0; server < groups[g].count; ++server) count({g, server});
}

unsigned task_allocator::place(class_id type, std::vector<placement>& at, std::vector<amounts>& held,
                               amounts& of_cluster) {
  unsigned servers = 0;
  std::optional<std::uint32_t> rack;
  for (unsigned left = need(type).tasks; left > 0; ++servers) {
    const chosen_server chosen = choose(type, left, rack);
    if (racks_) rack = racks_->of_servers[chosen.group][chosen.server];
    const unsigned tasks = std::min(left, fitting_[type].servers[chosen.group].cores(chosen.server));
    if (servers == held.size()) held.emplace_back();
    take(type, chosen, tasks, held[servers]);
    // The job's other tasks do not go there: what fits is counted when all have been placed. Ranks depend on it, too.
    if (tasks < left || rule_.choose) set_fitting(type, chosen, 0);
    const auto cores = static_cast<std::uint32_t>(held[servers].front());
    at[servers] = {chosen.group, chosen.server, cores};
    state_.take(chosen.group, cores);
    left -= tasks;
  }
  cluster_.take(state_.now(), need(type).per_job, of_cluster, rule_.draws ? random_ : nullptr);
  end_placing(at, servers);
  return servers;
}

void task_allocator::end_placing(const std::vector<placement>& at, unsigned servers) {
  for (unsigned n = 0; n < servers; ++n) count({at[n].group, at[n].server});
  for (const class_id id : users_of_cluster_) show_fitting(id);
}

unsigned task_allocator::place_on(class_id type, const std::vector<task_placement>& where, std::vector<placement>& at,
                                  std::vector<amounts>& held, amounts& of_cluster) {
  const amounts* chosen = nullptr;  // of the cluster
  unsigned servers = 0;
  if (held.size() < where.size()) held.resize(where.size());
  for (const auto& [group, server, of_server] : where) {
    if (group == whole_cluster) {
      chosen = &of_server;
      continue;
    }
    const auto cores = static_cast<std::uint32_t>(of_server.front());
    forget_state({group, server});
    server_state& s = servers_[group][server];
    for (std::size_t place = 0; place < of_server.size(); ++place) s.free[place] -= of_server[place];
    if (unsigned* const tasks = alike(s, type)) *tasks += static_cast<unsigned>(cores / need(type).per_task.front());
    held[servers] = of_server;
    at[servers++] = {group, server, cores};
    state_.take(group, cores);
  }
  if (chosen)
    cluster_.take_chosen(state_.now(), of_cluster = *chosen);
  else
    cluster_.take(state_.now(), need(type).per_job, of_cluster, nullptr);
  end_placing(at, servers);
  return servers;
}

unsigned task_allocator::place_where_named(class_id type, const std::vector<placement>& where,
                                           std::vector<placement>& at, std::vector<amounts>& held,
                                           amounts& of_cluster) {
  unsigned servers = 0;
  if (held.size() < where.size()) held.resize(where.size());
  for (const auto& [group, server, tasks] : where) {
    take(type, {group, server}, tasks, held[servers]);
    const auto cores = static_cast<std::uint32_t>(held[servers].front());
    at[servers++] = {group, server, cores};
    state_.take(group, cores);
  }
  cluster_.take(state_.now(), need(type).per_job, of_cluster, rule_.draws ? random_ : nullptr);
  end_placing(at, servers);
  return servers;
}

void task_allocator::take(class_id type, const chosen_server& from, unsigned tasks, amounts& held) {
  forget_state(from);
  server_state& server = servers_[from.group][from.server];
  held.assign(server.free.size(), 0);
  layouts_[from.group].take(server.free, need(type), tasks, held, rule_.draws ? random_ : nullptr);
  if (unsigned* const alike_tasks = alike(server, type)) *alike_tasks += tasks;
}

task_allocator::chosen_server task_allocator::choose(class_id type, unsigned tasks, std::optional<std::uint32_t> rack) {
  if (rule_.score) return lowest_score(type, tasks).server;
  if (!rule_.choose) return first(type);
  const idle_server by_rank =
      rule_.choose(candidate_servers{fitting_[type].ranked, state_.type(type).groups, racks_, rack}, tasks, *random_);
  return {by_rank.group, by_rank.server};
}

task_allocator::chosen_server task_allocator::first(class_id type) const {
  const fitting_tasks& fits = fitting_[type];
  const auto& groups = state_.type(type).groups;
  const auto group = std::find_if(groups.begin(), groups.end(), [&](group_id g) { return fits.of_group[g] > 0; });
  return {*group, fits.servers[*group].first()};
}

task_allocator::scored_server task_allocator::lowest_score(class_id type, unsigned tasks) const {
  scored_server best{{}, std::numeric_limits<double>::infinity()};
  const task_request request{need(type), tasks, largest_, state_};
  for (const group_id g : state_.type(type).groups) {
    bool here = false;  // whether the best so far is of this group
    for (const auto& [at, servers] : states_[g]) {
      const auto& [free, of_needs] = at;
      const unsigned fit = std::min(tasks, layouts_[g].tasks_that_fit(free, need(type)));
      if (fit == 0) continue;
      const unsigned of_need = of_needs.empty() ? 0 : of_needs[need_number_[type]];
      const double score = rule_.score({layouts_[g], free, fit, of_need}, request);
      if (score > best.score || (score == best.score && !(here && *servers.begin() < best.server.server))) continue;
      best = {{g, *servers.begin()}, score};
      here = true;
    }
  }
  return best;
}

void task_allocator::give_back(class_id type, const placement& at, const std::uint64_t* held) {
  const chosen_server server{at.group, at.server};
  server_state& s = servers_[at.group][at.server];
  forget_state(server);
  s.free.front() += at.cores;
  for (std::size_t place = 1; place < s.free.size(); ++place) s.free[place] += held[place - 1];
  if (unsigned* const tasks = alike(s, type)) *tasks -= static_cast<unsigned>(at.cores / need(type).per_task.front());
  if (!s.down) state_.give_back(at.group, at.cores);
  count(server);
}

void task_allocator::job_leaves(const amounts& held, const held_time& times) {
  cluster_.give_back(state_.now(), held, times);
  for (const class_id id : users_of_cluster_) show_fitting(id);
}

void task_allocator::set_fitting(class_id type, const chosen_server& at, unsigned tasks) {
  fitting_tasks& fits = fitting_[type];
  free_servers& servers = fits.servers[at.group];
  const unsigned before = servers.cores(at.server);
  if (before == tasks) return;
  if (tasks < before)
    servers.take(at.server, before - tasks);
  else
    servers.give_back(at.server, tasks - before);
  if (!fits.ranked.empty()) fits.ranked[at.group].set(at.server, tasks);
  fits.of_group[at.group] += tasks - std::uint64_t{before};
  fits.all += tasks - std::uint64_t{before};
  show_fitting(type);
}

void task_allocator::show_fitting(class_id type) {
  const bool enough = cluster_.fits(need(type).per_job);
  const auto all = std::min<std::uint64_t>(fitting_[type].all, std::numeric_limits<unsigned>::max());
  state_.set_fitting(type, enough ? static_cast<unsigned>(all) : 0);
}

void task_allocator::count(const chosen_server& at) {
  const server_state& s = servers_[at.group][at.server];
  remember_state(at);
  std::uint64_t usable = s.down ? ~std::uint64_t{0} : 0;
  for (const class_id id : users_[at.group]) {
    const unsigned fit = s.down ? 0 : layouts_[at.group].tasks_that_fit(s.free, need(id));
    set_fitting(id, at, fit);
    if (fit > 0) usable |= needed_[id];
  }
  count_stranded(at, usable);
  for (const std::size_t r : devices_) count_devices(at, r);
  if (observer_) show(at);
}

void task_allocator::observe(resource_observer& observer) {
  observer_ = &observer;
  for (const group_id g : id_range<group_id>{servers_.size()})
    for (std::uint32_t server = 0; server < servers_[g].size(); ++server) show({g, server});
}

void task_allocator::show(const chosen_server& at) const {
  const server_state& s = servers_[at.group][at.server];
  observer_->free_changes(at.group, at.server, s.down ? nullptr : &s.free);
}

void task_allocator::count_stranded(const chosen_server& at, std::uint64_t usable) {
  server_state& s = servers_[at.group][at.server];
  for (std::size_t r = 0; r < largest_.size(); ++r)
    set_level(r, s, (usable >> r & 1) != 0 ? 0 : layouts_[at.group].free_of(r, s.free));
}

void task_allocator::count_devices(const chosen_server& at, std::size_t resource) {
  server_state& s = servers_[at.group][at.server];
  const resource_layout& layout = layouts_[at.group];
  partly_free_.clear();  // most devices of a busy server are not
  std::uint64_t all = 0;
  for (std::size_t n = layout.first(resource); n < layout.first(resource) + layout.count(resource) && !s.down; ++n) {
    if (s.free[n] == 0) continue;
    partly_free_.push_back(s.free[n]);
    all += s.free[n];
  }
  set_level(free_level(resource), s, all);
  for (const class_id id : users_[at.group]) {
    if ((needed_[id] >> resource & 1) == 0) continue;
    std::uint64_t usable = 0;
    if (fitting_[id].servers[at.group].cores(at.server) > 0) {
      const std::uint64_t least = least_usable(layout, resource, need(id));
      for (const std::uint64_t free : partly_free_) usable += free >= least ? free : 0;
    }
    set_level(usable_level(resource, id), s, usable);
  }
}

void task_allocator::set_level(std::size_t of, server_state& at, std::uint64_t amount) {
  if (at.levels[of] == amount) return;
  levels_[of].add(state_.now(), amount - at.levels[of]);
  at.levels[of] = amount;
}

void task_allocator::forget_state(const chosen_server& at) {
  if (!rule_.score) return;
  auto& states = states_[at.group];
  const server_state& s = servers_[at.group][at.server];
  const auto state = states.find(std::tie(s.free, s.alike));
  if (state == states.end()) return;
  state->second.erase(at.server);
  if (state->second.empty()) states.erase(state);
}

void task_allocator::remember_state(const chosen_server& at) {
  const server_state& s = servers_[at.group][at.server];
  if (!rule_.score || s.down) return;
  auto& states = states_[at.group];
  auto state = states.find(std::tie(s.free, s.alike));
  if (state == states.end()) state = states.emplace(scored_state{s.free, s.alike}, std::set<std::uint32_t>{}).first;
  state->second.insert(at.server);
}

void task_allocator::number_needs() {
  std::vector<const task_need*> distinct;
  for (const class_id id : state_.classes()) {
    const auto same =
        std::find_if(distinct.begin(), distinct.end(), [&](const task_need* n) { return *n == need(id); });
    need_number_.push_back(static_cast<std::size_t>(same - distinct.begin()));
    if (same == distinct.end()) distinct.push_back(&need(id));
  }
  for (auto& group : servers_)
    for (server_state& s : group) s.alike.resize(distinct.size());
}

unsigned* task_allocator::alike(server_state& at, class_id type) const {
  return at.alike.empty() || need(type).exclusive ? nullptr : &at.alike[need_number_[type]];
}

void task_allocator::server_fails(group_id group, std::uint32_t server) {
  const chosen_server at{group, server};
  server_state& s = servers_[group][server];
  forget_state(at);
  s.down = true;
  ++down_;
  state_.take(group, static_cast<unsigned>(s.free.front()));
  count(at);
}

void task_allocator::server_is_repaired(group_id group, std::uint32_t server) {
  server_state& s = servers_[group][server];
  s.down = false;
  --down_;
  state_.give_back(group, static_cast<unsigned>(s.free.front()));
  count({group, server});
}

}  // namespace muster
