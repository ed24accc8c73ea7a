#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>
#include <systemc>

#include "benchmark.h"
#include "contest.h"
#include "platform/scenario/scenario_file.h"
#include "platform/simulation/replication.h"

// What it costs to watch a run: the same study with a trace, with the protocol checked, and with every cost and delay
// given as zero, over the study as it is. The results must be the same.

namespace muster {
namespace {

using bare::outcome;

outcome watched(const scenario& model, const watching& watch) {
  const double began = bare::processor_seconds();
  const replication_result result = run_replication(model, 0, watch);
  outcome found{bare::processor_seconds() - began};
  for (const measurement& m : result.measurements) found.push_back(m.value);
  return found;
}

outcome plain(const scenario& model) { return watched(model, {}); }

outcome traced(const scenario& model, const char* kind) {
  const auto file = std::filesystem::temp_directory_path() / fmt::format("muster_trace_{}", ::getpid());
  const outcome found = watched(model, {false, {{find_trace_kind(kind), file}}});
  std::filesystem::remove(file);
  return found;
}

outcome jobs_traced(const scenario& model) { return traced(model, "jobs"); }
outcome perfetto_traced(const scenario& model) { return traced(model, "perfetto"); }
outcome vcd_traced(const scenario& model) { return traced(model, "vcd"); }
outcome checked(const scenario& model) { return watched(model, {true, {}}); }

struct study_point {
  const char* name;
  const char* file;
  std::vector<std::string> settings;
};

const study_point points[] = {
    {"one-or-all, rate 7, msfq", "quickswap_one_or_all.toml", {"policy={name=\"msfq\"}", "arrivals.rate=7"}},
    {"random 2 of 100, load 0.8, m = 5",
     "balanced_fairness_random_2_of_100.toml",
     {"policy={name=\"balanced_fair\", interruptions_per_job=5.0}", "arrivals.load=0.8",
      "classes.*.size={distribution=\"exponential\", mean=1.0}"}},
    {"slotted jobs, load 0.9, ispeed", "ispeed_overload.toml", {"policy={name=\"ispeed\"}", "arrivals.load=0.9"}},
};

const std::vector<std::string> zeros{
    "platform.costs.dispatch_latency=0", "platform.costs.set_up=0",    "platform.costs.save=0",
    "platform.costs.restore=0",          "platform.costs.migration=0", "platform.link.latency=0"};

double seconds(const scenario&, const outcome& found) { return found[0]; }

}  // namespace

const bare::amount bare::usual{1'000'000, 5};

bool bare::benchmark(const amount& asked) {
  bool equal = true;
  bare::print_heading("seconds (medians)", "watched", "plain");
  for (const study_point& p : points) {
    auto settings = p.settings;
    settings.push_back(fmt::format("run.jobs={}", asked.jobs));
    settings.emplace_back("run.replications=1");
    const auto with = [&](const std::vector<std::string>& more) {
      auto all = settings;
      all.insert(all.end(), more.begin(), more.end());
      return read_study(fmt::format("{}/{}", MUSTER_SCENARIOS, p.file), all).points.front().model;
    };
    const bare::entrant without{with({}), plain};
    const auto compare = [&](const char* how, const bare::entrant& other, const char* target) {
      const bare::rounds all = bare::alternate(other, without, asked.rounds);
      bare::print(fmt::format("{}: {}", p.name, how), other, without, all, seconds, target);
      for (const auto& [one, two] : all) equal = equal && std::equal(one.begin() + 1, one.end(), two.begin() + 1);
    };
    compare("costs and delays of zero", {with(zeros), plain}, "<= 1.03");
    compare("--trace jobs", {without.model, jobs_traced}, "<= 3");
    compare("--trace vcd", {without.model, vcd_traced}, "<= 3");
    compare("--trace perfetto", {without.model, perfetto_traced}, "<= 3");
    compare("--check-protocol", {without.model, checked}, "");
  }
  return equal;
}

}  // namespace muster
