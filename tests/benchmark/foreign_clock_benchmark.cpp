#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <systemc>

#include "platform/cluster/cluster.h"
#include "platform/scenario/scenario_file.h"

// A foreign model whose clock has 1 GHz, with or without a cluster beside it whose jobs come every 100 periods: for
// tests/benchmark/foreign_clock.sh, which counts the instructions of both.

// libsystemc brings a main of its own that wants this symbol; it is never called.
int sc_main(int, char**) { return EXIT_FAILURE; }

namespace muster {
namespace {

constexpr int period_in_ns = 1;

/// 32 cores at a load of 0.8: a job in 100 ns.
const char* const one_job_in_100_periods = R"(name = "beside_a_clock"
time_unit = "ns"
platform.servers = [{ name = "node", count = 8, cores = 4 }]
classes = [{ name = "job", need = 1, share = 1.0, size = { distribution = "exponential", mean = 2560.0 } }]
arrivals = { process = "deterministic", rate = 0.01 }
policy = "fcfs"
run = { jobs = 1000000, replications = 1 }
)";

/// A counter of rising edges.
class counter final : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clock{"clock"};
  std::uint64_t edges = 0;

  explicit counter(const sc_core::sc_module_name& name) : sc_module(name) {
    using SC_CURRENT_USER_MODULE [[maybe_unused]] = counter;
    SC_METHOD(count);
    sensitive << clock.pos();
    dont_initialize();
  }

 private:
  void count() { ++edges; }
};

void run(int periods, int counters, bool with_cluster) {
  std::unique_ptr<cluster> beside;
  if (with_cluster)
    beside = std::make_unique<cluster>("beside", read_study(one_job_in_100_periods, "beside", {}).points.front().model);
  else
    sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  sc_core::sc_clock clock{"clock", period_in_ns, sc_core::SC_NS};
  std::vector<std::unique_ptr<counter>> all;
  for (int n = 0; n < counters; ++n) {
    all.push_back(std::make_unique<counter>(fmt::format("counter_{}", n).c_str()));
    all.back()->clock(clock);
  }
  sc_core::sc_start(periods * period_in_ns, sc_core::SC_NS);
  fmt::print("{} edges, {} jobs\n", all.front()->edges, beside ? beside->jobs_completed() : 0);
}

}  // namespace
}  // namespace muster

// Usage: foreign_clock_benchmark [PERIODS] [COUNTERS] [with|without], what is beside the clock
int main(int argc, char** argv) {
  const auto number = [&](int at, int otherwise) { return argc > at ? std::atoi(argv[at]) : otherwise; };
  setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 0);
  muster::run(number(1, 1'000'000), number(2, 1), argc < 4 || std::string(argv[3]) == "with");
}
