// precision_benchmark [PRECISION] [JOBS] [ROUNDS]: what a precision saves, and what a second worker does.
//
// Six rates of Quickswap's Figure 3 under MSFQ, on two workers: until each has the precision (1 % if nothing else is
// said; 0 leaves this out), and with one number of jobs for all that is large enough for the one that takes most.
// Then 24 points with one worker and with two, of JOBS jobs a replication, in alternation, ROUNDS times.

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "measure.h"
#include "platform/experiment/experiment.h"
#include "platform/inference/stability_of_study.h"
#include "platform/scenario/scenario_file.h"

namespace muster {
namespace {

struct timed {
  run_summary summary;
  double seconds;
};

timed run(const std::string& scenario_name, const std::vector<std::string>& settings, std::size_t workers) {
  const study s = read_study(MUSTER_SCENARIOS "/" + scenario_name, settings);
  const auto out = std::filesystem::temp_directory_path() / fmt::format("muster_benchmark_{}", ::getpid());
  run_options options;
  options.out = out;
  options.quiet = true;
  const auto began = std::chrono::steady_clock::now();
  local_runner here(s, workers);
  run_summary summary = run_study(s, examine_points(s), options, here);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  std::filesystem::remove_all(out);
  return {std::move(summary), seconds};
}

const estimate& response_time(const std::vector<estimate>& estimates) {
  return *std::find_if(estimates.begin(), estimates.end(),
                       [](const estimate& e) { return e.class_name == "all" && e.metric == "response_time"; });
}

void print_points(const timed& found) {
  for (const auto& estimates : found.summary.found.estimates.measured) {
    const estimate& e = response_time(estimates);
    fmt::print("  {:>9.4g} +- {:.2f} %, {} replications\n", *e.mean, (*e.ci_high / *e.mean - 1.0) * 100.0,
               e.replications);
  }
}

void hold_precision_against_fixed_jobs(const std::string& precision) {
  const std::vector<std::string> rates{"sweep={\"arrivals.rate\"=[4.0,5.0,6.0,6.5,7.0,7.25]}"};
  std::vector<std::string> precise = rates, fixed = rates;
  precise.push_back("run.precision=" + precision);
  const timed sought = run("quickswap_one_or_all.toml", precise, 2);
  std::uint32_t most = 0;
  for (const auto& estimates : sought.summary.found.estimates.measured)
    most = std::max(most, response_time(estimates).replications);
  fixed.push_back(fmt::format("run.replications={}", most));
  const timed given = run("quickswap_one_or_all.toml", fixed, 2);
  fmt::print("until each rate has a precision of {}: {:.1f} s\n", precision, sought.seconds);
  print_points(sought);
  fmt::print("with {} replications of each: {:.1f} s\n", most, given.seconds);
  print_points(given);
  fmt::print("ratio {:.2f}, target 0.50\n\n", sought.seconds / given.seconds);
}

void hold_two_workers_against_one(const std::string& jobs, int rounds) {
  const std::vector<std::string> points{
      "sweep={policy=[\"first_fit\",\"msf\",\"msfq\",\"adaptive_quickswap\"],\"arrivals.rate\"=[4.0,5.0,6.0,6.5,7.0,7."
      "25]}",
      "run.jobs=" + jobs};
  std::vector<double> one, two, ratios;
  for (int round = 0; round < rounds; ++round) {
    one.push_back(run("quickswap_one_or_all.toml", points, 1).seconds);
    two.push_back(run("quickswap_one_or_all.toml", points, 2).seconds);
    ratios.push_back(two.back() / one.back());
    fmt::print("24 points with one worker: {:.1f} s; with two: {:.1f} s\n", one.back(), two.back());
  }
  fmt::print("ratio {:.3f} (median of {}), target 0.55\n", bare::median(ratios), rounds);
}

}  // namespace
}  // namespace muster

int sc_main(int, char**) { return EXIT_FAILURE; }  // wanted by libsystemc, never called

int main(int argc, char** argv) {
  ::setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 1);
  const std::string precision = argc > 1 ? argv[1] : "0.01";
  if (precision != "0") muster::hold_precision_against_fixed_jobs(precision);
  muster::hold_two_workers_against_one(argc > 2 ? argv[2] : "1000000", argc > 3 ? std::atoi(argv[3]) : 3);
}
