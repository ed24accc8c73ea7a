#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <systemc>

#include "fast_loop.h"
#include "measure.h"
#include "platform/model/synthetic_workload.h"
#include "platform/scenario/scenario_file.h"
#include "platform/simulation/replication.h"

// Single-core jobs on few and many servers, first come, first served, at load 0.8: muster, a bare loop that draws the
// same jobs and knows which server has which, and the same loop with faster random numbers, which draws its own. They
// run in alternation, a process each. The first two must find the same mean response time, the third about the same.

namespace muster {
namespace {

using bare::outcome;

scenario cluster_of(std::uint32_t servers, std::uint64_t jobs) {
  return read_study(fmt::format(R"(
name = "single_cores"
[platform]
servers = [{{ name = "node", count = {} }}]
[[classes]]
name = "job"
need = 1
rate = {}
size = {{ distribution = "exponential", mean = 1.0 }}
[policy]
name = "fcfs"
[run]
jobs = {}
replications = 1
)",
                                servers, 0.8 * servers, jobs),
                    "benchmark", {})
      .points.front()
      .what;
}

/// What both ways find: seconds, mean response time.
enum { seconds, response };

outcome through_muster(const scenario& what) {
  const double began = bare::processor_seconds();
  const replication_result result = run_replication(what, 0);
  outcome found{bare::processor_seconds() - began};
  for (const measurement& m : result.measurements)
    if (m.metric == "response_time" && m.class_name == "all") found.push_back(m.value);
  return found;
}

template <class Request, class Workload>
outcome through_loop(const scenario& what, Workload jobs) {
  const double began = bare::processor_seconds();
  const auto warm_up = static_cast<std::uint64_t>(what.run.warm_up * static_cast<double>(what.run.jobs));
  const double found = bare::run_on_servers<Request>(jobs, what.servers[0].count, what.run.jobs, warm_up);
  return {bare::processor_seconds() - began, found / static_cast<double>(what.unit.ticks)};
}

bool about_equal(double one, double other, double tolerance) { return std::abs(one / other - 1.0) < tolerance; }

int compare(std::uint64_t jobs, int rounds) {
  bool equal = true;
  fmt::print("{:<34} {:>10} {:>10} {:>10} {:>10} {:>10}\n", "million jobs per second (medians)", "muster", "bare loop",
             "fast loop", "over bare", "over fast");
  for (const std::uint32_t servers : {100, 1'000, 10'000, 100'000}) {
    const scenario what = cluster_of(servers, jobs);
    std::vector<double> muster_times, bare_times, fast_times, over_bare, over_fast;
    for (int round = 0; round < rounds; ++round) {
      const outcome with = bare::in_a_process_of_its_own([&] { return through_muster(what); });
      const outcome without =
          bare::in_a_process_of_its_own([&] { return through_loop<job_request>(what, synthetic_workload(what, 0)); });
      const outcome fast = bare::in_a_process_of_its_own(
          [&] { return through_loop<bare::fast_request>(what, bare::fast_workload(what)); });
      // Means of the same ticks are rounded in another order. Jobs of the fast loop differ, and with few of them for
      // each server the cluster has not yet filled.
      equal = equal && about_equal(with[response], without[response], 1e-12) &&
              about_equal(with[response], fast[response], 0.05);
      muster_times.push_back(with[seconds]);
      bare_times.push_back(without[seconds]);
      fast_times.push_back(fast[seconds]);
      over_bare.push_back(without[seconds] / with[seconds]);
      over_fast.push_back(fast[seconds] / with[seconds]);
    }
    const double million = static_cast<double>(jobs) / 1e6;
    fmt::print("{:<34} {:>10.2f} {:>10.2f} {:>10.2f} {:>10.3f} {:>10.3f}\n", fmt::format("{} servers", servers),
               million / bare::median(muster_times), million / bare::median(bare_times),
               million / bare::median(fast_times), bare::median(over_bare), bare::median(over_fast));
  }
  fmt::print("{}\n", equal ? "all found the same response times" : "the response times DIFFER");
  return equal ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace muster

int sc_main(int, char**) { return EXIT_FAILURE; }  // wanted by libsystemc, never called

int main(int argc, char** argv) {
  ::setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 1);
  const auto number = [&](int at, long fallback) { return argc > at ? std::atol(argv[at]) : fallback; };
  return muster::compare(static_cast<std::uint64_t>(number(1, 10'000'000)), static_cast<int>(number(2, 5)));
}
