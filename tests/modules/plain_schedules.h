#pragma once

#include <vector>

#include "tests/modules/plain_cluster.h"

namespace muster::plain {

/// Numbers of jobs of each class, in ascending order.
using schedules = std::vector<std::vector<std::size_t>>;

// Adds jobs of the classes from one on to those of the classes before.
inline void add_schedules(plain_cluster room, std::vector<std::size_t>& served, std::size_t most, schedules& all) {
  if (served.size() == room.needs.size()) {
    all.push_back(served);
    return;
  }
  const std::size_t type = served.size();
  served.push_back(0);
  do {
    add_schedules(room, served, most, all);
    ++served.back();
  } while (all.size() < most && !room.place(type).empty());
  served.pop_back();
}

/// The schedules that have room on the idle cluster, placed class after class by the rule `first`.
/// @param most where there are more, about as many
inline schedules schedules_of(plain_cluster idle, std::size_t most) {
  idle.rule = "first";
  schedules all;
  std::vector<std::size_t> served;
  add_schedules(idle, served, most, all);
  return all;
}

}  // namespace muster::plain
