#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <systemc>

#include "bare_loop.h"
#include "benchmark.h"
#include "fast_loop.h"
#include "platform/model/class_table.h"
#include "platform/model/synthetic_workload.h"
#include "platform/scenario/scenario_file.h"
#include "platform/simulation/replication.h"
#include "three_ways.h"

// What muster costs on top of the arithmetic: three workloads of the Quickswap paper through muster, through a bare
// event loop that draws the same jobs, and through the fastest loop that is known for them, which draws its own. They
// run in alternation, a process each. The first two must find the same response times, the third about the same.

namespace muster {
namespace {

using bare::outcome;
using bare::processor_seconds;

struct comparison {
  const char* name;
  const char* file;
  std::vector<std::string> settings;
  double target;  ///< of muster's speed over the fast loop's
};

const comparison comparisons[] = {
    {"one-or-all, rate 7, msfq", "quickswap_one_or_all.toml", {"policy={name=\"msfq\"}", "arrivals.rate=7"}, 0.5},
    {"four classes, rate 4.5, adaptive_quickswap",
     "quickswap_four_class.toml",
     {"policy={name=\"adaptive_quickswap\"}", "arrivals.rate=4.5"},
     0.5},
    {"Borg B, rate 4, adaptive_quickswap",
     "quickswap_borg_b.toml",
     {"policy={name=\"adaptive_quickswap\"}", "arrivals.rate=4"},
     0.4},
};

/// @return seconds, then the mean response time of each class in descending order of need
outcome through_muster(const scenario& model) {
  const double began = processor_seconds();
  const replication_result result = run_replication(model, 0);
  outcome found{processor_seconds() - began};
  for (const std::size_t at : by_descending_need(model))
    for (const measurement& m : result.measurements)
      if (m.metric == "response_time" && m.class_name == model.classes[at].name) found.push_back(m.value);
  return found;
}

/// Cores that a job of each class needs, in descending order.
std::vector<std::uint32_t> needs_of(const scenario& model) {
  std::vector<std::uint32_t> needs;
  for (const std::size_t at : by_descending_need(model)) needs.push_back(model.classes[at].need);
  return needs;
}

/// @param run the loop: from needs, cores, completions in all and those of the warm-up
template <class Run>
outcome timed(const scenario& model, const Run& run) {
  const double began = processor_seconds();
  const auto warm_up = static_cast<std::uint64_t>(model.run.warm_up * static_cast<double>(model.run.jobs));
  const std::vector<bare::class_result> results = run(needs_of(model), model.servers[0].cores, model.run.jobs, warm_up);
  outcome found{processor_seconds() - began};
  for (const bare::class_result& r : results)
    found.push_back(static_cast<double>(r.response) / static_cast<double>(model.unit.ticks) /
                    static_cast<double>(r.completed));
  return found;
}

outcome through_bare_loop(const scenario& model) {
  return timed(model, [&](const auto& needs, std::uint32_t k, std::uint64_t jobs, std::uint64_t warm_up) {
    synthetic_workload arrivals(model, 0);
    return model.policy.name == "msfq" ? bare::run(bare::msfq{k - 1}, arrivals, needs, k, jobs, warm_up)
                                       : bare::run(bare::adaptive_quickswap{}, arrivals, needs, k, jobs, warm_up);
  });
}

outcome through_fast_loop(const scenario& model) {
  return timed(model, [&](const auto& needs, std::uint32_t k, std::uint64_t jobs, std::uint64_t warm_up) {
    bare::fast_workload arrivals(model);
    return model.policy.name == "msfq"
               ? bare::run_fast(bare::msfq{k - 1}, arrivals, needs, k, jobs, warm_up)
               : bare::run_fast(bare::fast_adaptive_quickswap{}, arrivals, needs, k, jobs, warm_up);
  });
}

scenario scenario_of(const comparison& c, std::uint64_t jobs) {
  auto settings = c.settings;
  settings.push_back(fmt::format("run.jobs={}", jobs));
  return read_study(std::string(MUSTER_SCENARIOS "/") + c.file, settings).points.front().model;
}

// Of the last class, the most frequent one. Jobs of both differ, and means over few of them far: a loop that does other
// things than muster is found all the same.
bool about_equal(const outcome& one, const outcome& other) {
  return std::abs(std::log(one.back() / other.back())) < 0.7;
}

}  // namespace

const bare::amount bare::usual{10'000'000, 5};

bool bare::benchmark(const amount& asked) {
  bool equal = true;
  print_heading_of_three();
  const auto agree = [](const outcome& with, const outcome& without, const outcome& fast) {
    return std::equal(with.begin() + 1, with.end(), without.begin() + 1, without.end()) && about_equal(with, fast);
  };
  for (const comparison& c : comparisons)
    equal = compare(fmt::format("{} (target {:.2f})", c.name, c.target), scenario_of(c, asked.jobs),
                    {through_muster, through_bare_loop, through_fast_loop}, asked.rounds, agree) &&
            equal;
  return equal;
}

}  // namespace muster
