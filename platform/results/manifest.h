#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "platform/scenario/scenario.h"

namespace muster {

/// What a run took.
struct run_facts {
  std::uint64_t replications = 0, jobs = 0, events = 0;
  double seconds = 0.0;  ///< processor time of all simulations
  std::uint64_t points_finished = 0;
  bool interrupted = false;
  std::string fault;  ///< empty if there was none
  std::vector<std::string> notes;
};

/// manifest.json: how the results beside it came about.
std::string manifest(const study& s, const std::string& command, std::size_t workers,
                     std::chrono::system_clock::time_point began, const run_facts& facts);

}  // namespace muster
