#include "muster/policies/slurm/node_table.h"

#include <algorithm>
#include <limits>

namespace muster {

namespace {

std::vector<group_id> sorted_groups(const cluster_view& cluster, class_id id) {
  std::vector<group_id> groups = cluster.groups(id);
  std::sort(groups.begin(), groups.end());
  return groups;
}

bool share_a_group(const std::vector<group_id>& one, const std::vector<group_id>& other) {
  return std::any_of(one.begin(), one.end(),
                     [&](group_id g) { return std::binary_search(other.begin(), other.end(), g); });
}

}  // namespace

std::optional<std::string> node_table::objection(const cluster_view& cluster) {
  if (cluster.counts_tasks()) {
    if (!cluster.inventory().groups.empty()) return std::nullopt;
    return "it plans what each server has free, but the cluster has no inventory; expected one";
  }
  for (const class_id id : cluster.classes()) {
    const std::vector<group_id> own = sorted_groups(cluster, id);
    for (const class_id other : cluster.classes()) {
      const std::vector<group_id> others = sorted_groups(cluster, other);
      if (own != others && share_a_group(own, others))
        return "it plans the cores of a partition as one pool, but classes '" + cluster.name(id) + "' and '" +
               cluster.name(other) + "' share some of their servers only; expected all, none, or tasks";
    }
  }
  return std::nullopt;
}

node_table::node_table(const cluster_view& cluster) : places_(cluster.counts_tasks()) {
  if (places_)
    add_servers(cluster);
  else
    add_cores(cluster);
  count_fewest_nodes();
  number_kinds();
  up_ = with_free_cores_ = node_set(nodes_.size());
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    up_.insert(n);
    note_free(n);
  }
}

node_table::type& node_table::add_type(const task_need& need) {
  type& own = types_[types_.push_back({need, node_set(nodes_.size()), node_set(nodes_.size()), need})];
  own.any_tasks.tasks = std::numeric_limits<unsigned>::max();
  return own;
}

void node_table::add_servers(const cluster_view& cluster) {
  const auto& groups = cluster.inventory().groups;
  for (const group_id g : id_range<group_id>{groups.size()}) {
    first_of_.push_back(static_cast<std::uint32_t>(nodes_.size()));
    for (std::uint32_t n = 0; n < groups[g].servers; ++n)
      nodes_.push_back({{g, n}, &groups[g].each, groups[g].each.all()});
  }
  for (const class_id id : cluster.classes()) {
    type& own = add_type(cluster.tasks(id));
    for (const group_id g : cluster.groups(id)) {
      const bool holds = groups[g].each.tasks_that_fit(groups[g].each.all(), own.need) > 0;
      for (std::size_t r = 0; r < groups[g].each.resource_count(); ++r)
        own.needs_devices = own.needs_devices || is_device_of(r, own, groups[g].each);
      if (own.needs_devices) own.any_tasks = own.need;
      any_needs_devices_ = any_needs_devices_ || own.needs_devices;
      for (std::uint32_t n = 0; n < groups[g].servers; ++n) {
        own.of_servers.insert(first_of_[g] + n);
        if (holds) own.usable.insert(first_of_[g] + n);
      }
    }
  }
  for (const planned_outage& o : cluster.planned_outages()) {
    node_set alone(nodes_.size());
    alone.insert(number(o.server));
    outages_.push_back({o.from, o.until, std::move(alone)});
  }
}

void node_table::add_cores(const cluster_view& cluster) {
  core_ = resource_layout({{"cores"}}, {1});
  std::vector<std::vector<group_id>> known;
  std::vector<std::size_t> pool_of;
  for (const class_id id : cluster.classes()) {
    const std::vector<group_id> groups = sorted_groups(cluster, id);
    const auto found = std::find(known.begin(), known.end(), groups);
    pool_of.push_back(static_cast<std::size_t>(found - known.begin()));
    if (found != known.end()) continue;
    known.push_back(groups);
    pools_.push_back({id, nodes_.size(), cluster.usable_cores(id)});
    for (unsigned n = 0; n < cluster.usable_cores(id); ++n) nodes_.push_back({{groups.front(), n}, &core_, {1}});
  }
  for (const class_id id : cluster.classes()) {
    const pool& cores = pools_[pool_of[types_.size()]];
    node_set all(nodes_.size());
    for (std::size_t n = 0; n < cores.count; ++n) all.insert(cores.first + n);
    task_need need;
    need.tasks = cluster.need(id);
    need.per_task = {1};
    type& own = add_type(need);
    own.usable = own.of_servers = all;
  }
  // A planned outage takes the cores of its server out of the pool: here those of the highest numbers.
  for (const planned_outage& o : cluster.planned_outages())
    for (std::size_t p = 0; p < pools_.size(); ++p) {
      if (!std::binary_search(known[p].begin(), known[p].end(), o.server.group)) continue;
      node_set last(nodes_.size());
      for (std::size_t n = 0; n < std::min<std::size_t>(o.cores, pools_[p].count); ++n)
        last.insert(pools_[p].first + pools_[p].count - 1 - n);
      outages_.push_back({o.from, o.until, std::move(last)});
    }
}

void node_table::count_fewest_nodes() {
  for (const class_id id : id_range<class_id>{types_.size()}) {
    type& own = types_[id];
    unsigned& most = own.most_on_a_node;
    own.usable.for_each([&](std::size_t n) { most = std::max(most, room(id, n, nodes_[n].layout->all())); });
    own.fewest_nodes = (std::size_t{own.need.tasks} + most - 1) / most;
  }
}

void node_table::number_kinds() {
  std::vector<const type*> kinds;  // the first type of each
  for (type& own : types_) {
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const type* other) {
      return other->any_tasks == own.any_tasks && other->usable == own.usable;
    });
    own.kind = static_cast<std::size_t>(found - kinds.begin());
    if (found == kinds.end()) kinds.push_back(&own);
  }
}

unsigned node_table::room_of_devices(class_id id, std::size_t node, const amounts& free) const {
  const type& own = types_[id];
  const resource_layout& layout = *nodes_[node].layout;
  unsigned all = 0;
  for (std::size_t r = 0; r < layout.resource_count(); ++r)
    if (is_device_of(r, own, layout)) all += layout.tasks_by_resource(r, free, own.need);
  return all;
}

void node_table::note_free(std::size_t number) {
  const node_state& n = nodes_[number];
  if (n.free[n.layout->first(0)] > 0)
    with_free_cores_.insert(number);
  else
    with_free_cores_.erase(number);
}

void node_table::find_down(rigid_view cluster) {
  if (cluster.servers_down() == down_ && (places_ || down_.empty())) return;
  down_ = cluster.servers_down();
  for (std::size_t n = 0; n < nodes_.size(); ++n) up_.insert(n);
  if (!places_) return find_down_cores(cluster);
  for (const server_name& s : down_) {
    const std::size_t node = number(s);
    const bool planned = std::any_of(outages_.begin(), outages_.end(), [&](const outage& o) {
      return o.from <= cluster.now() && cluster.now() < o.until && o.nodes.contains(node);
    });
    if (!planned) up_.erase(node);
  }
}

// Takes so many free cores of each pool as down, those of the highest numbers, as are free here and not in the cluster.
void node_table::find_down_cores(rigid_view cluster) {
  for (const pool& p : pools_) {
    std::size_t free = 0;
    for (std::size_t n = 0; n < p.count; ++n) free += nodes_[p.first + n].free[0];
    for (std::size_t n = p.first + p.count; n-- > p.first && free > cluster.free_cores(p.of);) {
      if (nodes_[n].free[0] == 0) continue;
      up_.erase(n);
      --free;
    }
  }
}

std::vector<node_share> node_table::named_for(const job& waiting, rigid_view cluster, const rigid_decisions& decide) {
  if (!places_) return {};
  const std::vector<named_tasks> named = decide.named_servers(waiting);
  if (!named.empty()) find_down(cluster);
  std::vector<node_share> where;
  where.reserve(named.size());
  for (const named_tasks& at : named) {
    const std::size_t node = number({at.group, at.server});
    if (!up_.contains(node) || room(waiting.type, node, nodes_[node].free) < at.tasks) return {};
    where.push_back({node, at.tasks});
  }
  return where;
}

std::vector<slurm_job::holding> node_table::start(const job& waiting, const std::vector<node_share>& where,
                                                  rigid_decisions& decide) {
  std::vector<slurm_job::holding> held;
  held.reserve(where.size());
  const task_need& need = types_[waiting.type].need;
  for (const node_share& share : where) {
    node_state& n = nodes_[share.node];
    held.push_back({share.node, amounts(n.free.size())});
    n.layout->take(n.free, need, share.tasks, held.back().held);
    note_free(share.node);
  }
  if (!places_) {
    decide.start(waiting);
    return held;
  }
  std::vector<task_placement> placed;
  placed.reserve(held.size());
  for (const slurm_job::holding& h : held)
    placed.push_back({nodes_[h.node].name.group, nodes_[h.node].name.server, h.held});
  decide.start_on(waiting, placed);
  return held;
}

void node_table::end(const std::vector<slurm_job::holding>& held) {
  for (const slurm_job::holding& h : held) {
    amounts& free = nodes_[h.node].free;
    for (std::size_t place = 0; place < free.size(); ++place) free[place] += h.held[place];
    note_free(h.node);
  }
}

void node_table::hold(const std::vector<slurm_job::holding>& held) {
  for (const slurm_job::holding& h : held) {
    amounts& free = nodes_[h.node].free;
    for (std::size_t place = 0; place < free.size(); ++place) free[place] -= h.held[place];
    note_free(h.node);
  }
}

}  // namespace muster
