#include "slurm_node_order.h"

#include <algorithm>

namespace muster::oracle {

namespace {

// The nodes with room of the highest weight that any of them has.
std::vector<std::size_t> of_highest_weight(const slurm_loop_rooms& rooms) {
  std::vector<std::size_t> all;
  for (const auto& [node, tasks] : rooms.tasks) {
    if (!all.empty() && rooms.weights[node] > rooms.weights[all[0]]) all.clear();
    if (all.empty() || rooms.weights[node] == rooms.weights[all[0]]) all.push_back(node);
  }
  return all;
}

}  // namespace

std::map<std::size_t, unsigned> take_least_loaded(slurm_loop_rooms rooms, unsigned tasks) {
  const auto has_less = [&](std::size_t a, std::size_t b) {
    return rooms.free[a][0] * rooms.nodes[b][0] < rooms.free[b][0] * rooms.nodes[a][0];
  };
  std::map<std::size_t, unsigned> where;
  std::uint64_t before = 0, weight = 0;
  while (tasks > 0) {
    const std::vector<std::size_t> left = of_highest_weight(rooms);
    if (rooms.weights[left[0]] != weight) before = 0;
    weight = rooms.weights[left[0]];
    std::size_t node = left[0];
    for (auto end = left.begin() + 1; rooms.free[node][0] != before && end != left.end();)
      node = *std::max_element(left.begin(), ++end, has_less);
    before = rooms.free[node][0];
    where[node] = std::min(tasks, rooms.tasks[node]);
    tasks -= where[node];
    rooms.tasks.erase(node);
  }
  return where;
}

std::map<std::size_t, unsigned> take_last(const slurm_loop_rooms& rooms) {
  return {{of_highest_weight(rooms).back(), 1}};
}

}  // namespace muster::oracle
