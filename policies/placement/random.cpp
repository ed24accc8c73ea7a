#include <algorithm>

#include "muster/policies/placement.h"

namespace muster {

namespace {

/// Draws a server by its rank among the candidates. Which server has a rank depends on the order in which servers have
/// got and lost idle cores, or room for a task; within one instant on the order in which the slices of a job end, which
/// is the same in each run and has no other meaning. A draw does not depend on that order, so that each server has the
/// same probability whatever it is.
idle_server drawn_server(const candidate_servers& idle, unsigned, random_numbers& random) {
  const std::size_t servers = idle.count();
  const auto drawn = static_cast<std::size_t>(random.uniform() * static_cast<double>(servers));
  return idle.at(std::min(drawn, servers - 1));
}

}  // namespace

extern const placement_entry random_placement{"random",
                                              3,
                                              "Any of the servers that have idle cores, or hold a task of the job, "
                                              "with equal probability, and any of its devices, and so on with the rest",
                                              drawn_server,
                                              nullptr,
                                              true};

}  // namespace muster
