#include "muster/modules/scheduler/allocation/core_allocator.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace muster {

namespace {

/// What a rule that draws nothing is given in place of random numbers.
struct nothing_to_draw final : random_numbers {
  double uniform() override {
    throw policy_error("a rule of placement draws a random number, but its entry does not say that it draws");
  }
};
nothing_to_draw nothing;

}  // namespace

core_allocator::core_allocator(cluster_state& state, const table<group_id, server_group>& groups,
                               const placement_entry* rule, random_numbers* random, const cluster_resources& resources,
                               const server_racks& racks)
    : state_(state),
      locations_(locations_of(groups)),
      plain_(!(rule && rule->choose) && !state.counts_tasks()),
      takes_first_(plain_),
      rule_(rule ? rule->choose : nullptr),
      random_(random ? random : &nothing) {
  const placement_entry& by = rule ? *rule : *placement_catalogue().front();
  if (by.needs_racks) racks_ = std::make_unique<server_racks>(racks);
  if (state.counts_tasks())
    tasks_ = std::make_unique<task_allocator>(state, groups, resources, by, random_, racks_.get());
  std::size_t servers = 0;
  table<group_id, double> capacities;
  for (const group_id id : id_range<group_id>{groups.size()}) {
    const server_group& g = groups[id];
    capacities.push_back(g.capacity);
    free_servers_.push_back({g.count, g.cores});
    if (rule_ && !tasks_) ranked_.push_back(ranking_of(racks_.get(), id, g.count, g.cores));
    servers += g.count;
  }
  state.set_capacities(std::move(capacities));
  placements_.resize(servers);
  if (by.score) state.set_preview(*this);
}

unsigned core_allocator::place(const job& waiting) {
  placed_ = 0;
  slowest_ = std::numeric_limits<double>::infinity();
  unsigned missing = state_.need(waiting.type);
  if (tasks_) {
    place_tasks(waiting);
    return placed_;
  }
  if (rule_) {
    place_by_rule(waiting.type, missing);
    return placed_;
  }
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

void core_allocator::place_by_rule(class_id type, unsigned cores) {
  std::optional<std::uint32_t> rack;  // of the server that the job got last
  while (cores > 0) {
    const candidate_servers idle(ranked_, state_.type(type).groups, racks_.get(), rack);
    const idle_server chosen = rule_(idle, cores, *random_);
    if (racks_) rack = racks_->of_servers[chosen.group][chosen.server];
    const placement at{chosen.group, chosen.server, std::min(cores, chosen.cores)};
    take(at);
    rank(at.group, at.server);
    placements_[placed_++] = at;
    slowest_ = std::min(slowest_, locations_[at.group].capacity);
    cores -= at.cores;
  }
}

// Where only cores count, the rule of scores is `dot_product`: the first cores come from the server with the most.
double core_allocator::score(class_id type) const {
  if (tasks_) return tasks_->score(type);
  std::uint32_t largest = 1;
  for (const group_location& at : locations_) largest = std::max(largest, at.cores);
  const double most = largest;
  return -(state_.need(type) / most) * (candidate_servers{ranked_, state_.type(type).groups}.most_idle().cores / most);
}

unsigned core_allocator::place_on(const job& waiting, const std::vector<task_placement>& where) {
  placed_ = tasks_->place_on(waiting.type, where, placements_, held_, of_cluster_);
  note_slowest();
  hold_of_cluster(waiting);
  return placed_;
}

unsigned core_allocator::place_where_named(const job& waiting, const std::vector<placement>& where) {
  const auto& usable = state_.type(waiting.type).groups;
  std::uint64_t all = 0;
  const bool have_room = std::all_of(where.begin(), where.end(), [&](const placement& at) {
    all += at.cores;
    return std::find(usable.begin(), usable.end(), at.group) != usable.end() &&
           (tasks_ ? tasks_->fitting(waiting.type, at) : idle_cores(at.group, at.server)) >= at.cores;
  });
  if (!have_room || all != state_.need(waiting.type)) {
    ++without_named_places_;
    return 0;
  }
  if (tasks_) {
    placed_ = tasks_->place_where_named(waiting.type, where, placements_, held_, of_cluster_);
    note_slowest();
    hold_of_cluster(waiting);
    return placed_;
  }
  placed_ = 0;
  for (const placement& at : where) {
    take(at);
    rank(at.group, at.server);
    placements_[placed_++] = at;
  }
  note_slowest();
  return placed_;
}

void core_allocator::place_tasks(const job& waiting) {
  placed_ = tasks_->place(waiting.type, placements_, held_, of_cluster_);
  note_slowest();
  hold_of_cluster(waiting);
}

// Notes with the job what it holds of the cluster. The extension of most jobs never needs the part.
void core_allocator::hold_of_cluster(const job& placed) {
  if (of_cluster_.empty()) return;
  std::unique_ptr<cluster_holding>& part = extension_of(placed).own.of_cluster;
  if (!part) part = std::make_unique<cluster_holding>();
  part->held = of_cluster_;
  part->since = state_.now();
  part->ran = end_of_clock;
}

// Notes the smallest capacity of a core among the servers on which tasks have been placed.
void core_allocator::note_slowest() {
  slowest_ = std::numeric_limits<double>::infinity();
  for (const placement& at : placements()) slowest_ = std::min(slowest_, locations_[at.group].capacity);
}

void core_allocator::rank(group_id group, std::uint32_t server) {
  if (rule_) ranked_[group].set(server, idle_cores(group, server));
}

void core_allocator::server_fails(group_id group, std::uint32_t server) {
  state_.server_fails({group, server});
  if (tasks_) {
    tasks_->server_fails(group, server);
    return;
  }
  const std::uint32_t cores = idle_cores(group, server);
  if (cores > 0) take({group, server, cores});
  down_[server_number(group, server)] = cores;
  plain_ = false;
  rank(group, server);
}

void core_allocator::server_is_repaired(group_id group, std::uint32_t server) {
  state_.server_is_repaired({group, server});
  if (tasks_) {
    tasks_->server_is_repaired(group, server);
    return;
  }
  const auto withheld = down_.find(server_number(group, server));
  if (withheld->second > 0) set_free({group, server, withheld->second});
  down_.erase(withheld);
  plain_ = takes_first_ && down_.empty();
  rank(group, server);
}

// Gives back what a job holds of the cluster, as its last slice has ended. @param ended a slice of it
void core_allocator::give_back_of_cluster(const slice_extension& ended) {
  scheduled_job& holder = ended.holder->own;
  cluster_holding nothing;
  cluster_holding& part = holder.of_cluster ? *holder.of_cluster : nothing;
  part.ran = std::min(part.ran, ended.ran);
  if (holder.open_slices > 1) return;
  tasks_->job_leaves(part.held, part.until(state_.now()));
  part.held.clear();
}

void core_allocator::give_back_with_care(const placement& at, const slice_extension* ended) {
  if (tasks_) {
    tasks_->give_back(ended->holder->type, at, ended->held());
    give_back_of_cluster(*ended);
    return;
  }
  const auto down = down_.find(server_number(at.group, at.server));
  if (down != down_.end()) {
    down->second += at.cores;
    return;
  }
  set_free(at);
  rank(at.group, at.server);
}

}  // namespace muster
