#include <algorithm>

#include "muster/policies/placement.h"

namespace muster {

namespace {

idle_server any(const candidate_servers& idle, unsigned, random_numbers& random) {
  const std::size_t servers = idle.count();
  const auto drawn = static_cast<std::size_t>(random.uniform() * static_cast<double>(servers));
  return idle.at(std::min(drawn, servers - 1));
}

}  // namespace

extern const placement_entry random_placement{"random",
                                              3,
                                              "Any of the servers that have idle cores, or hold a task of the job, "
                                              "with equal probability, and any of its devices, and so on with the rest",
                                              any,
                                              nullptr,
                                              true};

}  // namespace muster
