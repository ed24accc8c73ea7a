#pragma once

#include <cstdint>

namespace muster::bare {

/// How much a benchmark runs.
struct amount {
  std::uint64_t jobs;  ///< of each run
  int rounds;          ///< in which what is compared takes turns
};

/// The amount where the command line leaves it out.
extern const amount usual;

/// Prints speeds and ratios.
/// @return whether those that must find the same results have found them
bool benchmark(const amount& asked);

}  // namespace muster::bare
