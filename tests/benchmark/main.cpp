#include <cstdlib>

#include <fmt/format.h>

#include "benchmark.h"

// NAME_benchmark [JOBS] [ROUNDS]

int sc_main(int, char**) { return EXIT_FAILURE; }  // wanted by libsystemc, never called

int main(int argc, char** argv) {
  ::setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 1);
  muster::bare::amount asked = muster::bare::usual;
  if (argc > 1) asked.jobs = static_cast<std::uint64_t>(std::atol(argv[1]));
  if (argc > 2) asked.rounds = std::atoi(argv[2]);
  const bool equal = muster::bare::benchmark(asked);
  fmt::print("{}\n", equal ? "the results are the same" : "the results DIFFER");
  return equal ? EXIT_SUCCESS : EXIT_FAILURE;
}
