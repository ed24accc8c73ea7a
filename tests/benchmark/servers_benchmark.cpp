#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <systemc>

#include "contest.h"
#include "fast_loop.h"
#include "platform/scenario/scenario_file.h"
#include "platform/simulation/replication.h"

// Single-core jobs on few and many servers, first come, first served, at load 0.8: muster, and a fast bare loop
// that knows which server has which job. They run in alternation, a process each, and must find about the same mean.

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

outcome through_fast_loop(const scenario& what) {
  const double began = bare::processor_seconds();
  bare::fast_workload jobs(what);
  const auto warm_up = static_cast<std::uint64_t>(what.run.warm_up * static_cast<double>(what.run.jobs));
  const double found = bare::run_on_servers(jobs, what.servers[0].count, what.run.jobs, warm_up);
  return {bare::processor_seconds() - began, found / static_cast<double>(what.unit.ticks)};
}

double million_jobs_per_second(const scenario& what, const outcome& found) {
  return static_cast<double>(what.run.jobs) / found[seconds] / 1e6;
}

int compare(std::uint64_t jobs, int rounds) {
  const std::pair<std::uint32_t, const char*> sizes[] = {
      {100, "0.75"}, {1'000, "0.8"}, {10'000, "0.7"}, {100'000, "0.5"}};
  bool equal = true;
  bare::print_heading("million jobs per second (medians)", "muster", "fast loop");
  for (const auto& [servers, target] : sizes) {
    const bare::contender with{cluster_of(servers, jobs), through_muster}, bare{with.what, through_fast_loop};
    const bare::rounds all = bare::alternate(with, bare, rounds);
    bare::print(fmt::format("{} servers", servers), with, bare, all, million_jobs_per_second, target);
    // Jobs of both differ, and with few of them for each server the cluster has not yet filled.
    for (const auto& [ours, theirs] : all) equal = equal && std::abs(ours[response] / theirs[response] - 1.0) < 0.05;
  }
  fmt::print("{}\n", equal ? "both found about the same response times" : "the response times DIFFER");
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
