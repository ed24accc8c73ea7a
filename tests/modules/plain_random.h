#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "muster/policies/random_numbers.h"
#include "tests/modules/plain_cluster.h"

namespace muster::plain {

/// Places tasks on any of the servers that have room for one, and on any of the devices that suffice, by the numbers of
/// a stream. The servers of a group that have room for a task of a class stand in a row, at first in their order. The
/// last of the row takes the place of a server that has no room any more. A server that has room again becomes the
/// last.
class any_server {
 public:
  any_server(const plain_cluster& idle, random_numbers& random) : random_(random), rows_(idle.needs.size()) {
    for (std::size_t s = 0; s < idle.servers.size(); ++s) server_changes(idle, s);
  }

  std::vector<std::pair<std::size_t, plain_server>> place(plain_cluster& cluster, std::size_t type) {
    const plain_need& n = cluster.needs[type];
    std::vector<std::pair<std::size_t, plain_server>> held;
    for (unsigned left = n.tasks; left > 0;) {
      const std::size_t s = draw(cluster, type);
      plain_server copy = cluster.servers[s], taken;
      const unsigned tasks = copy.take(n, left, taken);
      if (!n.whole) take(cluster.servers[s], n, tasks, taken);
      if (n.whole) cluster.servers[s] = copy;
      taken.tasks.assign(cluster.needs.size(), 0);
      taken.tasks[type] = tasks;
      cluster.servers[s].tasks.resize(cluster.needs.size());
      cluster.servers[s].tasks[type] += tasks;
      held.emplace_back(s, taken);
      left -= tasks;
      leave(row_of(cluster, type, s), s);
    }
    if (n.any_of_cluster()) {
      plain_server copy = cluster.whole, taken;
      copy.take(n.of_cluster(), 1, taken);
      take(cluster.whole, n.of_cluster(), 1, taken);
      held.emplace_back(cluster.servers.size(), taken);
    }
    for (const auto& [s, taken] : held) server_changes(cluster, s);
    return held;
  }

  void server_changes(const plain_cluster& cluster, std::size_t s) {
    for (std::size_t type = 0; type < rows_.size(); ++type) {
      const auto usable = cluster.usable(cluster.needs[type]);
      if (std::find(usable.begin(), usable.end(), s) == usable.end()) continue;
      auto& row = row_of(cluster, type, s);
      const bool stands = std::find(row.begin(), row.end(), s) != row.end();
      const bool has_room = cluster.tasks_on(s, type, cluster.needs[type].tasks) > 0;
      if (has_room && !stands) row.push_back(s);
      if (!has_room && stands) leave(row, s);
    }
  }

 private:
  using row_of_servers = std::vector<std::size_t>;

  row_of_servers& row_of(const plain_cluster& cluster, std::size_t type, std::size_t s) {
    auto& rows = rows_[type];
    if (rows.size() <= cluster.servers[s].group) rows.resize(cluster.servers[s].group + 1);
    return rows[cluster.servers[s].group];
  }
  static void leave(row_of_servers& row, std::size_t s) {
    *std::find(row.begin(), row.end(), s) = row.back();
    row.pop_back();
  }

  // The rows of the groups in the order of the class, one after the other.
  std::size_t draw(const plain_cluster& cluster, std::size_t type) {
    row_of_servers all;
    const std::size_t none = cluster.servers.size();
    std::size_t group = none;
    for (const std::size_t s : cluster.usable(cluster.needs[type])) {
      if (cluster.servers[s].group == group) continue;
      group = cluster.servers[s].group;
      const auto& row = row_of(cluster, type, s);
      all.insert(all.end(), row.begin(), row.end());
    }
    return all[static_cast<std::size_t>(random_.uniform() * static_cast<double>(all.size()))];
  }

  // Each device that suffices replaces the one chosen so far with probability 1 / (their number so far).
  void take(plain_server& from, const plain_need& n, unsigned tasks, plain_server& taken) {
    taken.gpus.assign(from.gpus.size(), 0);
    for (unsigned task = 0; task < tasks; ++task)
      for (unsigned long left = n.gpu; left > 0;) {
        const unsigned long some = std::min(left, from.of_each);
        std::size_t chosen = 0, suitable = 0;
        for (std::size_t g = 0; g < from.gpus.size(); ++g)
          if (from.gpus[g] >= some && random_.uniform() * static_cast<double>(++suitable) < 1.0) chosen = g;
        from.gpus[chosen] -= some;
        taken.gpus[chosen] += some;
        left -= some;
      }
    from.cores -= tasks * n.cores;
    from.memory -= tasks * n.memory;
  }

  random_numbers& random_;
  std::vector<std::vector<row_of_servers>> rows_;  // by class and group
};

}  // namespace muster::plain
