#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <systemc>

#include "bare_pooled_loop.h"
#include "benchmark.h"
#include "contest.h"
#include "platform/model/class_table.h"
#include "platform/model/synthetic_workload.h"
#include "platform/scenario/scenario_file.h"
#include "platform/simulation/replication.h"
#include "platform/simulation/server_clocks.h"

// What pooled jobs cost as load and cluster grow, and on top of the arithmetic: the same jobs and timers through a bare
// event loop, which must find the same response times. What is compared runs in alternation, each in its own process.

namespace muster {
namespace {

using bare::alternate;
using bare::entrant;
using bare::outcome;
using bare::print;
using bare::print_heading;
using bare::rounds;

/// Each job draws two servers, of capacity 1 as they all are.
scenario random_assignment(unsigned servers, double load, unsigned interruptions, std::uint64_t jobs) {
  const std::string policy = interruptions == 0
                                 ? R"(name = "fcfs_pooled")"
                                 : fmt::format("name = \"balanced_fair\"\ninterruptions_per_job = {}.0", interruptions);
  return read_study(fmt::format(R"(
name = "random_assignment"
[platform]
servers = [{{ name = "node", count = {} }}]
[[classes]]
name = "job"
need = 1
rate = {}
size = {{ distribution = "exponential", mean = 1.0 }}
servers = {{ random = 2 }}
[policy]
{}
[run]
jobs = {}
replications = 1
)",
                                servers, load * servers, policy, jobs),
                    "benchmark", {})
      .points.front()
      .model;
}

/// What both ways find: seconds, events, mean response time.
enum { seconds, events, response };

outcome through_muster(const scenario& model) {
  const double began = bare::processor_seconds();
  const replication_result result = run_replication(model, 0);
  outcome found{bare::processor_seconds() - began, static_cast<double>(result.events)};
  for (const measurement& m : result.measurements)
    if (m.metric == "response_time" && m.class_name == "all") found.push_back(m.value);
  return found;
}

outcome through_bare_loop(const scenario& model) {
  const double began = bare::processor_seconds();
  synthetic_workload jobs(model, 0);
  const double theta = work_between_interruptions(model);
  std::unique_ptr<random_interruptions> timers;
  if (std::isfinite(theta)) timers = std::make_unique<random_interruptions>(model, 0, model.servers[0], theta);
  const auto warm_up = static_cast<std::uint64_t>(model.run.warm_up * static_cast<double>(model.run.jobs));
  bare::pooled_loop loop(model.servers[0].count, model.classes[0].drawn, timers.get());
  const auto found = loop.run(jobs, model.run.jobs, warm_up);
  return {bare::processor_seconds() - began, 0.0,
          static_cast<double>(found.response) / static_cast<double>(model.unit.ticks) /
              static_cast<double>(found.completed)};
}

double nanoseconds_per_event(const scenario&, const outcome& found) { return found[seconds] / found[events] * 1e9; }

double million_jobs_per_second(const scenario& model, const outcome& found) {
  return static_cast<double>(model.run.jobs) / found[seconds] / 1e6;
}

std::string name(unsigned interruptions) {
  return interruptions == 0 ? "fcfs_pooled" : fmt::format("balanced_fair, m = {}", interruptions);
}

}  // namespace

const bare::amount bare::usual{1'000'000, 7};

bool bare::benchmark(const amount& asked) {
  const unsigned without = 0, one = 1;
  print_heading("nanoseconds per event (medians), 100 servers", "load 0.95", "load 0.5");
  for (const unsigned m : {without, one}) {
    const entrant heavy{random_assignment(100, 0.95, m, asked.jobs), through_muster};
    const entrant light{random_assignment(100, 0.5, m, asked.jobs), through_muster};
    print(name(m), heavy, light, alternate(heavy, light, asked.rounds), nanoseconds_per_event, "<= 2");
  }
  print_heading("million jobs per second, load 0.8", "10,000 servers", "100 servers");
  for (const unsigned m : {without, one}) {
    const entrant large{random_assignment(10'000, 0.8, m, asked.jobs), through_muster};
    const entrant small{random_assignment(100, 0.8, m, asked.jobs), through_muster};
    print(name(m), large, small, alternate(large, small, asked.rounds), million_jobs_per_second, ">= 0.5");
    // What the caches alone make of the size.
    const entrant bare_large{large.model, through_bare_loop}, bare_small{small.model, through_bare_loop};
    print(name(m) + ", bare loop", bare_large, bare_small, alternate(bare_large, bare_small, asked.rounds),
          million_jobs_per_second, "");
  }
  print_heading("million jobs per second, load 0.8, 100 servers", "muster", "bare loop");
  bool equal = true;
  for (const unsigned m : {without, one}) {
    const entrant with{random_assignment(100, 0.8, m, asked.jobs), through_muster}, bare{with.model, through_bare_loop};
    const rounds all = alternate(with, bare, asked.rounds);
    print(name(m), with, bare, all, million_jobs_per_second, "");
    for (const auto& [ours, theirs] : all) equal = equal && ours[response] == theirs[response];
  }
  return equal;
}

}  // namespace muster
