#include <algorithm>
#include <iterator>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "muster/policies/cluster_state.h"
#include "muster/policies/slurm/node_rooms.h"

// When nodes have room, against a count of all running jobs for each question.

namespace muster {
namespace {

constexpr std::size_t single_cores = 50;  // each of them a node

cluster_state one_class_on_single_cores() {
  table<class_id, job_class> classes;
  job_class& one = classes[classes.push_back({"one", 1, {}})];
  one.groups = {group_id{0}};
  table<group_id, unsigned> of_groups;
  of_groups.push_back(single_cores);
  return {classes, of_groups};
}

/// Jobs that hold cores, and when each core is free again by their limits.
struct jobs_on_single_cores {
  node_table& nodes;
  node_rooms& rooms;
  std::map<std::uint64_t, std::pair<job, slurm_job>> jobs{};
  std::vector<ticks> free_from = std::vector<ticks>(single_cores);
  std::uint64_t started = 0;

  void start(const std::vector<std::size_t>& on, ticks end) {
    auto& [of, own] = jobs[started];
    of.id = started++;
    own.of = &of;
    own.end = end;
    for (const std::size_t node : on) {
      own.held.push_back({node, {1}});
      free_from[node] = end;
    }
    nodes.hold(own.held);
    rooms.add(own);
  }
  void end(std::uint64_t id) {
    const slurm_job& own = jobs.at(id).second;
    rooms.remove(own);
    nodes.end(own.held);
    for (const slurm_job::holding& h : own.held) free_from[h.node] = 0;
    jobs.erase(id);
  }
  ticks enough_from(std::size_t count) const {
    std::vector<ticks> sorted = free_from;
    std::sort(sorted.begin(), sorted.end());
    return sorted[count - 1];
  }
};

TEST(node_rooms, says_when_enough_nodes_have_room_however_seldom_it_is_asked_between_starts_and_ends) {
  const cluster_state cluster = one_class_on_single_cores();
  node_table nodes(cluster);
  node_rooms rooms(nodes);
  jobs_on_single_cores running{nodes, rooms};
  std::mt19937_64 bits(1);
  node_set all(single_cores);
  for (std::size_t n = 0; n < single_cores; ++n) all.insert(n);
  for (int step = 0; step < 20'000; ++step) {
    std::vector<std::size_t> free;
    for (std::size_t n = 0; n < single_cores; ++n)
      if (running.free_from[n] == 0) free.push_back(n);
    if (!running.jobs.empty() && (free.empty() || bits() % 2 == 0))
      running.end(std::next(running.jobs.begin(), static_cast<std::ptrdiff_t>(bits() % running.jobs.size()))->first);
    else
      running.start({free[bits() % free.size()]}, 1 + bits() % 1'000);
    if (bits() % 2 == 0) rooms.select(class_id{0});
    if (bits() % 4 > 0) continue;
    rooms.select(class_id{0});
    const std::size_t count = 1 + bits() % single_cores;
    ASSERT_EQ(rooms.enough_from(all, count, end_of_clock), running.enough_from(count)) << "step " << step;
  }
}

}  // namespace
}  // namespace muster
