#pragma once

#include <cstdint>
#include <string>

namespace muster {

/// What the file of `[initial]` tells of a job that waits or runs at time 0, beside its timed_job. Times are in units
/// of time.
struct queued_job {
  std::string name;         ///< its number, such as "17" or "17_3"; empty: the file does not tell it
  std::string user;         ///< empty: not known
  std::uint32_t line = 0;   ///< of the file
  std::uint32_t place = 0;  ///< among the jobs that the file tells of, from 0: the same in each scenario that reads it
  std::uint32_t cores = 0;  ///< 0: as its class has it
  bool runs = false;
  double elapsed = 0.0;     ///< since its start, if it runs
  double limit = 0.0;       ///< the run time that its user has requested, in all; 0: not known
  double size = 0.0;        ///< its run time in all; the limit where that is all that is known
  bool by_request = false;  ///< whether `size` is the limit
};

}  // namespace muster
