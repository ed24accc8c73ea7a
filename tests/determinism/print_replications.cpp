#include <cstdio>
#include <cstdlib>

#include <systemc>

#include "platform/experiment/replication_text.h"
#include "platform/experiment/worker_pool.h"
#include "platform/scenario/scenario_file.h"

// Prints everything that some replications find, to the last bit: the output must not depend on compiler or
// optimisation.

namespace {

constexpr const char* scenario_text = R"(
name = "every_distribution"
[platform]
servers = [{ name = "a", count = 3, cores = 4 }, { name = "b", cores = 5, capacity = 1.5 }]
[[classes]]
name = "exponential"
need = 1
share = 0.3
size = { distribution = "exponential", mean = 1.0 }
[[classes]]
name = "hyperexponential"
need = 2
share = 0.2
size = { distribution = "hyperexponential", mean = 1.0, scv = 4.0 }
[[classes]]
name = "lognormal"
need = 3
share = 0.2
size = { distribution = "lognormal", mean = 1.0, scv = 2.0 }
[[classes]]
name = "erlang"
need = 5
share = 0.1
size = { distribution = "erlang", phases = 3, mean = 1.0 }
[[classes]]
name = "weibull"
need = 12
share = 0.1
size = { distribution = "weibull", shape = 0.7, mean = 1.0 }
[[classes]]
name = "pareto"
need = 17
share = 0.1
size = { distribution = "bounded_pareto", shape = 1.5, low = 0.3, high = 30.0 }
[arrivals]
process = "renewal"
rate = 2.0
interarrival = { distribution = "uniform", low = 0.1, high = 0.9 }
[run]
jobs = 40_000
replications = 1
[policy]
name = "msf"
[sweep]
policy = ["fcfs", "first_fit", "msf", "static_quickswap", "adaptive_quickswap"]
)";

}  // namespace

int sc_main(int, char**) { return EXIT_FAILURE; }  // wanted by libsystemc, never called

int main() {
  ::setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 1);
  const muster::study s = muster::read_study(scenario_text, "every_distribution", {});
  const bool all = muster::worker_pool(1).run(
      s.points.size(),
      [&](std::size_t at) {
        muster::replication_result found = muster::run_replication(s.points[at].what, 0);
        found.seconds = 0.0;
        return to_text(found);
      },
      [](const muster::task_outcome& ended) {
        std::puts(ended.text.c_str());
        return !ended.failed;
      },
      [] { return true; });
  return all ? 0 : 1;
}
