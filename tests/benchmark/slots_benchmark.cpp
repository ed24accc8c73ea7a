#include <fmt/format.h>
#include <systemc>

#include "bare_slotted_loop.h"
#include "benchmark.h"
#include "contest.h"
#include "platform/model/class_table.h"
#include "platform/model/synthetic_workload.h"
#include "platform/scenario/scenario_file.h"
#include "platform/simulation/replication.h"

// What slotted jobs cost as ever more of them wait, and on top of the arithmetic: the same jobs through a plain loop,
// which must find the same utility. What is compared runs in alternation, each in its own process.

namespace muster {
namespace {

using bare::alternate;
using bare::entrant;
using bare::outcome;
using bare::print;
using bare::print_heading;
using bare::rounds;

constexpr unsigned machines = 1000;
constexpr unsigned units = 50;  // of a job

/// @param slots from a job's arrival to its deadline, on average
scenario stream(const char* policy, double load, std::uint64_t slots, std::uint64_t jobs) {
  return read_study(fmt::format(R"(
name = "stream"
[platform]
servers = [{{ name = "machine", count = {} }}]
[[classes]]
name = "free"
share = 0.8
units = {}
utility = {{ function = "exponential", steepness = 4.0 }}
deadline = {{ distribution = "uniform", from = {}, to = {} }}
[[classes]]
name = "vip"
share = 0.2
units = {}
value = 3.0
utility = {{ function = "logarithmic", steepness = 10.0 }}
deadline = {{ distribution = "uniform", from = {}, to = {} }}
[arrivals]
load = {}
[policy]
name = "{}"
[run]
jobs = {}
replications = 1
warm_up = 0.0
)",
                                machines, units, slots / 2, slots + slots / 2, units, slots / 2, slots + slots / 2,
                                load, policy, jobs),
                    "benchmark", {})
      .points.front()
      .model;
}

/// Twice as many jobs as can be served, so that each machine has work in each slot and about that many jobs wait.
scenario overload(const char* policy, std::uint64_t waiting, std::uint64_t jobs) {
  constexpr double load = 2.0;
  const double arrivals = load * machines / units;  // in a slot
  return stream(policy, load, static_cast<std::uint64_t>(static_cast<double>(waiting) / arrivals), jobs);
}

/// What is found: seconds, jobs completed, mean response time and utility; through muster also units of work done and
/// the mean number of jobs present.
enum { seconds, completed, response, utility_found, work, present };

outcome through_muster(const scenario& model) {
  const double began = bare::processor_seconds();
  const replication_result result = run_replication(model, 0);
  outcome found(present + 1);
  found[seconds] = bare::processor_seconds() - began;
  for (const measurement& m : result.measurements) {
    if (m.class_name != "all") continue;
    if (m.metric == "response_time") found[completed] = static_cast<double>(m.jobs);
    if (m.metric == "response_time" && m.has_value) found[response] = m.value;
    if (m.metric == "utility") found[utility_found] = m.value;
    if (m.metric == "utilization") found[work] = m.value * machines * result.simulated_time / model.slot;
    if (m.metric == "jobs_in_system") found[present] = m.value;
  }
  return found;
}

outcome through_bare_loop(const scenario& model) {
  const double began = bare::processor_seconds();
  synthetic_workload jobs(model, 0);
  const table<class_id, job_class> classes = class_table(model);
  std::vector<const utility*> worth;
  for (const job_class& c : classes) worth.push_back(c.worth.get());
  const auto found = bare::slotted_loop(machines, model.unit.to_ticks(model.slot), worth).run(jobs, model.run.jobs);
  const double response = found.completed == 0
                              ? 0.0
                              : static_cast<double>(found.response) / static_cast<double>(model.unit.ticks) /
                                    static_cast<double>(found.completed);
  return {bare::processor_seconds() - began, static_cast<double>(found.completed), response,
          static_cast<double>(found.utility)};
}

double nanoseconds_per_unit(const scenario&, const outcome& found) { return found[seconds] / found[work] * 1e9; }

double jobs_present(const scenario&, const outcome& found) { return found[present]; }

double thousand_jobs_per_second(const scenario& model, const outcome& found) {
  return static_cast<double>(model.run.jobs) / found[seconds] / 1e3;
}

bool agree(const outcome& ours, const outcome& theirs) {
  return ours[completed] == theirs[completed] && ours[response] == theirs[response] &&
         ours[utility_found] == theirs[utility_found];
}

}  // namespace

const bare::amount bare::usual{100'000, 5};

bool bare::benchmark(const amount& asked) {
  const std::uint64_t many = asked.jobs / 2, few = asked.jobs / 100;
  print_heading(fmt::format("nanoseconds per unit of work, {} machines", machines), fmt::format("{} wait", many),
                fmt::format("{} wait", few));
  for (const char* policy : {"ispeed", "fifo", "edf", "equal_partitioning"}) {
    const entrant crowd{overload(policy, many, asked.jobs), through_muster};
    const entrant handful{overload(policy, few, asked.jobs), through_muster};
    const rounds all = alternate(crowd, handful, asked.rounds);
    print(policy, crowd, handful, all, nanoseconds_per_unit, "<= 2");
    print("  jobs present on average", crowd, handful, all, jobs_present, "");
  }
  print_heading("thousand jobs per second, ispeed", "muster", "bare loop");
  bool equal = true;
  const auto compare = [&](const std::string& name, const scenario& model) {
    const entrant with{model, through_muster}, bare{model, through_bare_loop};
    const rounds all = alternate(with, bare, asked.rounds);
    print(name, with, bare, all, thousand_jobs_per_second, "");
    for (const auto& [ours, theirs] : all) equal = equal && agree(ours, theirs);
  };
  compare("load 0.9", stream("ispeed", 0.9, 100, asked.jobs));
  compare(fmt::format("load 2, {} wait", few), overload("ispeed", few, asked.jobs));
  compare(fmt::format("load 2, {} wait", many), overload("ispeed", many, asked.jobs));
  return equal;
}

}  // namespace muster
