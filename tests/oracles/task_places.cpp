#include "task_places.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace muster::oracle {

using amount = std::int64_t;

task_places::task_places(const backfill_cluster& cluster) : cluster_(cluster) {
  for (const backfill_server& server : cluster.servers) {
    of_server_.emplace_back();
    for (std::size_t r = 0; r < cluster.parts.size(); ++r)
      of_server_.back().push_back(add_places(server.has[r], cluster.parts[r]));
  }
  cluster_from_ = all_.size();
  for (std::size_t r = 0; r < cluster.of_cluster.size(); ++r)
    of_cluster_.push_back(
        add_places(cluster.of_cluster[r], cluster.parts_of_cluster.empty() ? 0 : cluster.parts_of_cluster[r]));
}

// Adds the places of a resource. @param has the amount, or the number of devices
task_places::range task_places::add_places(std::uint64_t has, std::uint64_t parts) {
  const range added{all_.size(), parts > 0 ? has : 1, static_cast<amount>(parts)};
  all_.insert(all_.end(), added.count, static_cast<amount>(parts > 0 ? parts : has));
  return added;
}

std::vector<std::size_t> task_places::servers_of(const backfill_need& need) const {
  std::vector<std::size_t> servers = need.servers;
  for (std::size_t s = 0; need.servers.empty() && s < cluster_.servers.size(); ++s) servers.push_back(s);
  return servers;
}

double task_places::slowest(const backfill_need& need) const {
  double slowest = std::numeric_limits<double>::infinity();
  for (const std::size_t server : servers_of(need)) slowest = std::min(slowest, cluster_.servers[server].capacity);
  return slowest;
}

levels task_places::taken_by(const backfill_outage& outage) const {
  levels taken(all_.size(), 0);
  for (const range& places : of_server_[outage.server])
    for (std::size_t p = places.first; p < places.first + places.count; ++p)
      taken[p] = outage.cores > 0 ? static_cast<amount>(outage.cores) : all_[p];
  return taken;
}

bool task_places::place(const backfill_need& need, levels& free, placed_tasks& at) const {
  at.held.assign(all_.size(), 0);
  at.by_server.clear();
  const levels before = free;
  for (std::size_t r = 0; r < need.per_job.size(); ++r)
    if (!take(of_cluster_[r], static_cast<amount>(need.per_job[r]), free)) return false;
  for (std::size_t p = cluster_from_; p < free.size(); ++p) at.held[p] = before[p] - free[p];
  unsigned left = need.tasks;
  for (const std::size_t server : servers_of(need)) left -= fill(server, need, left, free, at);
  return left == 0;
}

// Places as many tasks as fit on a server. @return how many
unsigned task_places::fill(std::size_t server, const backfill_need& need, unsigned left, levels& free,
                           placed_tasks& at) const {
  const std::size_t first = of_server_[server].front().first;
  const std::size_t end = server + 1 < of_server_.size() ? of_server_[server + 1].front().first : cluster_from_;
  for (std::size_t p = first; p < end; ++p)
    if (need.exclusive && free[p] != all_[p]) return 0;
  unsigned tasks = 0;
  while (tasks < left && (need.at_most_per_server == 0 || tasks < need.at_most_per_server) &&
         take_one(server, need, free, at.held))
    ++tasks;
  if (tasks == 0) return 0;
  for (std::size_t p = first; p < end; ++p)
    if (need.exclusive) at.held[p] = all_[p];
  at.by_server.emplace_back(server, tasks);
  return tasks;
}

bool task_places::take_one(std::size_t server, const backfill_need& need, levels& free, levels& held) const {
  levels after = free;
  for (std::size_t r = 0; r < need.per_task.size(); ++r)
    if (!take(of_server_[server][r], static_cast<amount>(need.per_task[r]), after)) return false;
  for (std::size_t p = 0; p < free.size(); ++p) held[p] += free[p] - after[p];
  free = after;
  return true;
}

// Takes parts of one device, or whole devices where one does not suffice, or an amount. @return whether there is enough
bool task_places::take(const range& of, amount wanted, levels& free) {
  if (of.parts == 0) return (free[of.first] -= wanted) >= 0;
  while (wanted > 0) {
    const amount of_one = std::min(wanted, of.parts);
    std::optional<std::size_t> tightest;
    for (std::size_t p = of.first; p < of.first + of.count; ++p)
      if (free[p] >= of_one && (!tightest || free[p] < free[*tightest])) tightest = p;
    if (!tightest) return false;
    free[*tightest] -= of_one;
    wanted -= of_one;
  }
  return true;
}

}  // namespace muster::oracle
