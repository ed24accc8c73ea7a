#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <systemc>

#include "bare_loop.h"
#include "measure.h"
#include "platform/scenario/class_table.h"
#include "platform/scenario/scenario_file.h"
#include "platform/simulation/replication.h"
#include "platform/simulation/synthetic_workload.h"

// What muster costs on top of the arithmetic: three workloads of the Quickswap paper through muster, and through a bare
// event loop that draws the same jobs. Both run in alternation, a process each, and must find the same response times.

namespace muster {
namespace {

using bare::in_a_process_of_its_own;
using bare::median;
using bare::outcome;
using bare::processor_seconds;

struct comparison {
  const char* name;
  const char* file;
  std::vector<std::string> settings;
  double target;  ///< of muster's speed over the bare loop's
};

const comparison comparisons[] = {
    {"one-or-all, rate 7, msfq", "quickswap_one_or_all.toml", {"policy={name=\"msfq\"}", "arrivals.rate=7"}, 0.3},
    {"four classes, rate 4.5, adaptive_quickswap",
     "quickswap_four_class.toml",
     {"policy={name=\"adaptive_quickswap\"}", "arrivals.rate=4.5"},
     0.3},
    {"Borg B, rate 4, adaptive_quickswap",
     "quickswap_borg_b.toml",
     {"policy={name=\"adaptive_quickswap\"}", "arrivals.rate=4"},
     0.2},
};

/// @return seconds, then the mean response time of each class in descending order of need
outcome through_muster(const scenario& what) {
  const double began = processor_seconds();
  const replication_result result = run_replication(what, 0);
  outcome found{processor_seconds() - began};
  for (const std::size_t at : by_descending_need(what))
    for (const measurement& m : result.measurements)
      if (m.metric == "response_time" && m.class_name == what.classes[at].name) found.push_back(m.value);
  return found;
}

outcome through_bare_loop(const scenario& what) {
  const double began = processor_seconds();
  synthetic_workload jobs(what, 0);
  std::vector<std::uint32_t> needs;
  for (const std::size_t at : by_descending_need(what)) needs.push_back(what.classes[at].need);
  const std::uint32_t k = what.servers[0].cores;
  const auto warm_up = static_cast<std::uint64_t>(what.run.warm_up * static_cast<double>(what.run.jobs));
  const auto results = what.policy.name == "msfq"
                           ? bare::run(bare::msfq{k - 1}, jobs, needs, k, what.run.jobs, warm_up)
                           : bare::run(bare::adaptive_quickswap{}, jobs, needs, k, what.run.jobs, warm_up);
  outcome found{processor_seconds() - began};
  for (const bare::class_result& r : results)
    found.push_back(static_cast<double>(r.response) / static_cast<double>(what.unit.ticks) /
                    static_cast<double>(r.completed));
  return found;
}

int compare(const std::string& scenarios, std::uint64_t jobs, int rounds) {
  bool equal = true;
  fmt::print("{:<46} {:>14} {:>14} {:>7} {:>7}\n", "million jobs per second (medians)", "muster", "bare loop", "ratio",
             "target");
  for (const comparison& c : comparisons) {
    auto settings = c.settings;
    settings.push_back(fmt::format("run.jobs={}", jobs));
    const scenario what = read_study(scenarios + "/" + c.file, settings).points.front().what;
    std::vector<double> muster_times, bare_times, ratios;
    for (int round = 0; round < rounds; ++round) {
      const outcome with = in_a_process_of_its_own([&] { return through_muster(what); });
      const outcome without = in_a_process_of_its_own([&] { return through_bare_loop(what); });
      equal = equal && std::equal(with.begin() + 1, with.end(), without.begin() + 1, without.end());
      muster_times.push_back(with[0]);
      bare_times.push_back(without[0]);
      ratios.push_back(without[0] / with[0]);
    }
    const double million = static_cast<double>(jobs) / 1e6;
    fmt::print("{:<46} {:>14.2f} {:>14.2f} {:>7.3f} {:>7.2f}\n", c.name, million / median(muster_times),
               million / median(bare_times), median(ratios), c.target);
  }
  fmt::print("{}\n", equal ? "both found the same response times" : "the response times DIFFER");
  return equal ? 0 : 1;
}

}  // namespace
}  // namespace muster

int sc_main(int, char**) { return EXIT_FAILURE; }  // wanted by libsystemc, never called

int main(int argc, char** argv) {
  ::setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 1);
  const auto number = [&](int at, long fallback) { return argc > at ? std::atol(argv[at]) : fallback; };
  return muster::compare(MUSTER_SCENARIOS, static_cast<std::uint64_t>(number(1, 3'000'000)),
                         static_cast<int>(number(2, 7)));
}
