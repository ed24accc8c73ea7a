#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <systemc>

#include "benchmark.h"
#include "fast_workload.h"
#include "platform/model/synthetic_workload.h"
#include "platform/scenario/scenario_file.h"
#include "platform/simulation/replication.h"
#include "servers_loop.h"
#include "three_ways.h"

// Single-core jobs on few and many servers, first come, first served, at load 0.8: muster, a bare loop that draws the
// same jobs and knows which server has which, and the same loop with faster random numbers, which draws its own. They
// run in alternation, a process each. The first two must find the same mean response time, the third about the same.

namespace muster {
namespace {

using bare::outcome;

scenario cluster_of(std::uint32_t servers, std::uint64_t jobs) {
  return read_study(fmt::format(R"(
name = "single_cores"
platform.servers = [{{ name = "node", count = {} }}]
classes = [{{ name = "job", need = 1, rate = {}, size = {{ distribution = "exponential", mean = 1.0 }} }}]
policy = "fcfs"
run = {{ jobs = {}, replications = 1 }}
)",
                                servers, 0.8 * servers, jobs),
                    "benchmark", {})
      .points.front()
      .model;
}

/// What both ways find: seconds, mean response time.
enum { seconds, response };

outcome through_muster(const scenario& model) {
  const double began = bare::processor_seconds();
  const replication_result result = run_replication(model, 0);
  outcome found{bare::processor_seconds() - began};
  for (const measurement& m : result.measurements)
    if (m.metric == "response_time" && m.class_name == "all") found.push_back(m.value);
  return found;
}

template <class Request, class Workload>
outcome through_loop(const scenario& model, Workload jobs) {
  const double began = bare::processor_seconds();
  const auto warm_up = static_cast<std::uint64_t>(model.run.warm_up * static_cast<double>(model.run.jobs));
  const double found = bare::run_on_servers<Request>(jobs, model.servers[0].count, model.run.jobs, warm_up);
  return {bare::processor_seconds() - began, found / static_cast<double>(model.unit.ticks)};
}

bool about_equal(double one, double other, double tolerance) { return std::abs(one / other - 1.0) < tolerance; }

}  // namespace

const bare::amount bare::usual{10'000'000, 5};

bool bare::benchmark(const amount& asked) {
  bool equal = true;
  print_heading_of_three();
  const three_ways ways{
      through_muster,
      [](const scenario& model) { return through_loop<job_request>(model, synthetic_workload(model, 0)); },
      [](const scenario& model) { return through_loop<fast_request>(model, fast_workload(model)); }};
  // Means of the same ticks are rounded in another order. Jobs of the fast loop differ, and with few of them for each
  // server the cluster has not yet filled.
  const auto agree = [](const outcome& with, const outcome& without, const outcome& fast) {
    return about_equal(with[response], without[response], 1e-12) && about_equal(with[response], fast[response], 0.05);
  };
  for (const std::uint32_t servers : {100, 1'000, 10'000, 100'000})
    equal = compare(fmt::format("{} servers", servers), cluster_of(servers, asked.jobs), ways, asked.rounds, agree) &&
            equal;
  return equal;
}

}  // namespace muster
