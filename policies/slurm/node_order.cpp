#include "muster/policies/slurm/node_order.h"

#include <algorithm>
#include <functional>
#include <set>

namespace muster {

table<class_id, node_order> node_orders_of(const cluster_view& cluster, const settings& given) {
  const bool all_by_load = given.choice("CR_LLN") == "yes", packs = given.choice("pack_serial_at_end") == "yes";
  table<class_id, node_order> orders;
  for (const class_id id : cluster.classes())
    orders.push_back(all_by_load || cluster.parameters(id).choice("LLN") == "yes" ? node_order::least_loaded
                     : packs && cluster.cores(id) == 1                            ? node_order::from_the_end
                                                                                  : node_order::rows);
  return orders;
}

void choose_least_loaded(const nodes_with_room& room, const std::vector<std::uint64_t>& free_cores,
                         const node_table& all, const node_weights& weights, unsigned tasks,
                         std::vector<node_share>& chosen) {
  std::set<unsigned, std::greater<>> levels;
  room.nodes.for_each([&](std::size_t node) { levels.insert(weights[node]); });
  std::vector<std::size_t> left;
  chosen.clear();
  for (const unsigned level : levels) {
    left.clear();
    room.nodes.for_each([&](std::size_t node) {
      if (weights[node] == level) left.push_back(node);
    });
    for (std::uint64_t before = 0; !left.empty();) {
      auto best = left.begin();
      for (auto n = left.begin(); n != left.end() && free_cores[*best] != before; ++n)
        if (free_cores[*best] * all.all(*n)[0] < free_cores[*n] * all.all(*best)[0]) best = n;
      before = free_cores[*best];
      chosen.push_back({*best, std::min(tasks, room.tasks[*best])});
      tasks -= chosen.back().tasks;
      if (tasks == 0) return;
      left.erase(best);
    }
  }
}

void choose_last(const nodes_with_room& room, const node_weights& weights, std::vector<node_share>& chosen) {
  std::size_t last = 0;
  bool any = false;
  room.nodes.for_each([&](std::size_t node) {
    if (!any || weights[node] >= weights[last]) last = node;
    any = true;
  });
  chosen.assign(1, {last, 1});
}

}  // namespace muster
