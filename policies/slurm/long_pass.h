#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "muster/policies/ticks.h"

namespace muster {

/// A backfill pass that takes so long that it yields to other events in between, see slurm_scheduler.
struct long_pass {
  std::vector<std::uint64_t> jobs{};  ///< ids in Slurm's order, as they waited when it began
  std::size_t next = 0;               ///< the first of them that has not been tested
  std::size_t started = 0;
  ticks begin = 0;
  ticks resumes = end_of_clock;  ///< when it goes on; end_of_clock: there is no such pass

  bool is_open() const { return resumes < end_of_clock; }
};

}  // namespace muster
