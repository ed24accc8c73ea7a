#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "platform/command_line/command.h"
#include "platform/command_line/common_options.h"
#include "platform/command_line/run_text.h"
#include "platform/command_line/stability_text.h"
#include "platform/experiment/experiment.h"
#include "platform/experiment/simulation_task.h"
#include "platform/inference/stability_of_study.h"
#include "platform/report/report.h"
#include "platform/scenario/scenario_file.h"
#include "platform/scenario/study_warnings.h"
#include "platform/store/stored_run.h"
#include "platform/toml/nearest_name.h"
#include "platform/toml/quantity.h"

namespace muster {

namespace {

constexpr const char* pilot = "pilot";
constexpr std::uint32_t number_of_pilots = std::numeric_limits<std::uint32_t>::max();

// A line on the metric that most readers look at; empty where control variates have not helped.
std::string fewer_jobs(const std::vector<variance_fact>& found, std::size_t points) {
  std::vector<double> factors;
  for (const variance_fact& f : found)
    if (f.class_name == "all" && f.metric == "response_time") factors.push_back(f.factor);
  if (factors.empty()) return "";
  const auto [least, most] = std::minmax_element(factors.begin(), factors.end());
  const std::string range = fmt::format("{:.2g}", *least) + (least == most ? "" : fmt::format(" to {:.2g}", *most));
  return fmt::format("response_time: {} times fewer jobs (control variates) at {} of {} points\n", range,
                     factors.size(), points);
}

/// `run --point P --replication R --no-fork`: one replication in this process, for a debugger. Nothing is stored.
class single_replication {
 public:
  // Adds the options. The command must have its other options by then.
  void add_to(CLI::App& command) {
    CLI::Option* no_fork = command.add_flag(
        "--no-fork", no_fork_,
        "run one replication in this process and store nothing, for a debugger; needs --point and --replication");
    CLI::Option* point =
        command.add_option("--point", point_, "with --no-fork: number of the point, from 0")->type_name("P");
    CLI::Option* replication =
        command
            .add_option("--replication", replication_,
                        "with --no-fork: number of the replication, from 0; or pilot, the one that finds the warm-up")
            ->type_name("R")
            ->check([](const std::string& text) {
              return text == pilot || number_in<std::uint32_t>(text).value_or(number_of_pilots) != number_of_pilots
                         ? std::string()
                         : "expected the number of a replication, or pilot; found " + text;
            });
    no_fork->needs(point)->needs(replication)->excludes("--trace");
    point->needs(no_fork);
    replication->needs(no_fork);
  }

  bool given() const { return no_fork_; }

  // Says on standard output how far it came, unless `quiet`.
  int run(const study& s, bool check_protocol, bool quiet) const {
    if (point_ >= s.points.size())
      throw results_error(fmt::format("--point: expected a point from 0 to {}, found {}", s.points.size() - 1, point_));
    const simulation_task task{
        {point_, number_in<std::uint32_t>(replication_).value_or(0), replication_ == pilot}, {}, {check_protocol, {}}};
    if (task.pilot && !s.points[point_].model.run.warm_up_by_mser5)
      throw results_error("--replication: there is no pilot, because run.warm_up is not 'mser5'; expected a number");
    const std::string text = simulate(s, task);
    if (quiet) return done;
    const std::string name = label(s, task);
    if (task.pilot) {
      fmt::print("{}: no fault; a warm-up of {} jobs\n", name, warm_up_from_text(text).jobs);
      return done;
    }
    const replication_result result = replication_from_bytes(text);
    fmt::print("{}: no fault; {} jobs, {} events, simulated time {:.6g} {}\n", name, result.jobs, result.events,
               result.simulated_time, s.points[point_].model.unit.name);
    return done;
  }

 private:
  std::size_t point_ = 0;
  std::string replication_;
  bool no_fork_ = false;
};

class run_command {
 public:
  explicit run_command(CLI::App& app) {
    given_.add_to(app);
    add_directory(app, out_, "directory for the results (default: results/NAME of the scenario)");
    add_workers(app, workers_, " (default: as many as processors; 1 on each rank under mpirun)");
    given_.add_replications_to(app, "same as --set run.replications=R");
    app.add_option("--precision", precision_,
                   "replications until the 95 % half-width is below that share of the mean, such as 1% or 0.01; same "
                   "as --set run.precision.half_width=P")
        ->type_name("P");
    app.add_option("--equal-within", equal_within_,
                   "replications until each two policies are told apart, or are equal within that share, such as 1% or "
                   "0.01; same as --set run.equal_within=P")
        ->type_name("P");
    app.add_option("--trace", traces_,
                   fmt::format("record the first replication of each point: {}; repeatable",
                               in_words(names_of(trace_catalogue()))))
        ->type_name("KIND")
        ->allow_extra_args(false)
        ->check(known_name("trace kind", names_of(trace_catalogue())));
    app.add_option("--where", where_,
                   "a bound that the best policy must keep, METRIC[CLASS] <= X or >= X; repeatable; same as --set "
                   "report.where=[..]")
        ->type_name("BOUND")
        ->allow_extra_args(false)
        ->check(wrong_bound);
    app.add_flag("--explain", explain_, "tell what jobs' time is spent on; same as --set report.explain=true");
    app.add_flag("--force", options_.force, "overwrite whatever results are in DIR, and run everything anew");
    app.add_flag("--check-protocol", options_.watch.check_protocol,
                 "hold every transaction on every hop against the TLM-2.0 base protocol; a violation is a fault. "
                 "Slower; the numbers are the same");
    app.add_flag("--quiet", options_.quiet, "no progress and no table; warnings and notes stay");
    add_format(app, format_, "the points");
    single_.add_to(app);
  }

  int run(const invocation& how) {
    options_.command = how.words;
    options_.rerun = rerun(how.plugins);
    const auto place = place_among_ranks();
    if (place && single_.given() && place->rank > 0) return done;
    const auto read = [&] {
      how.load_plugins();
      return read_study(given_.file, overrides());
    };
    if (single_.given()) return single_.run(read(), options_.watch.check_protocol, options_.quiet);
    if (place)
      return run_among_ranks(*place, workers_.value_or(1), read,
                             [&](const study& s, task_runner& team) { return run_here(s, team); });
    const study s = read();
    local_runner here(s, workers_.value_or(usual_workers()));
    return run_here(s, here);
  }

 private:
  std::vector<std::string> overrides() const {
    std::vector<std::string> all = given_.overrides();
    const auto add = [&](const char* key, const std::string& share) {
      const bool plain = share.find_first_not_of("0123456789.eE-+_") == std::string::npos;
      if (!share.empty()) all.push_back(fmt::format("{0}={2}{1}{2}", key, share, plain ? "" : "'"));
    };
    add("run.precision.half_width", precision_);
    add("run.equal_within", equal_within_);
    if (explain_) all.emplace_back("report.explain=true");
    if (!where_.empty()) all.push_back(fmt::format("report.where=['{}']", fmt::join(where_, "', '")));
    return all;
  }

  // What a replication depends on, without point and number.
  std::string rerun(const std::vector<std::string>& plugins) const {
    std::string words = "muster run " + shell_word(given_.file);
    for (const std::string& file : plugins) words += " --plugin " + shell_word(file);
    for (const std::string& setting : overrides()) words += " --set " + shell_word(setting);
    return options_.watch.check_protocol ? words + " --check-protocol" : words;
  }

  int run_here(const study& s, task_runner& runner) {
    options_.warnings = study_warnings(s);
    const std::vector<stability> known = examine_points(s);
    for (std::string& warning : stability_warnings(s, known)) options_.warnings.push_back(std::move(warning));
    fmt::print(stderr, "{}", first_few("warning", options_.warnings, "manifest.json"));
    options_.out = out_.empty() ? std::filesystem::path("results") / s.name : std::filesystem::path(out_);
    for (const trace_kind& kind : trace_catalogue())
      if (std::find(traces_.begin(), traces_.end(), kind.name) != traces_.end()) options_.traces.push_back(&kind);
    options_.code = code_of(s);
    options_.write_report = write_report;
    const run_summary summary = run_study(s, known, options_, runner);
    fmt::print(stderr, "{}", first_few("note", summary.notes, "manifest.json"));
    const study_results& found = summary.found;
    const auto& measured = found.estimates.measured;
    const bool any_finished = std::any_of(measured.begin(), measured.end(),
                                          [](const std::vector<estimate>& of_point) { return !of_point.empty(); });
    if (!options_.quiet) {
      table_document output = run_text(s, measured, found.known);
      if (any_finished) output.append(verdict_text(s, found.estimates.best));
      fmt::print("{}", output.in(format_));
    }
    if (!options_.quiet && any_finished)
      fmt::print(format_ == output_format::table ? stdout : stderr,
                 "\n{1}{2}Results are in {0}; look at {0}/report.html\n", options_.out.string(),
                 fewer_jobs(found.variance, s.points.size()), imprecise_points(found.imprecise, s.points.size()));
    if (!summary.interrupted) return done;
    fmt::print(stderr,
               any_finished ? "interrupted; the points that were finished are in {}\n"
                            : "interrupted before a point was finished; the same command goes on from {}\n",
               options_.out.string());
    return interrupted;
  }

  scenario_options given_;
  std::string out_, precision_, equal_within_;
  bool explain_ = false;
  output_format format_ = output_format::table;
  std::optional<std::size_t> workers_;
  std::vector<std::string> traces_, where_;
  run_options options_;
  single_replication single_;
};

}  // namespace

extern const command_entry run_command_entry{
    "run",
    "simulate every point of a scenario and store the results",
    10,
    "muster run scenarios/quickswap_one_or_all.toml\n"
    "muster run scenarios/quickswap_one_or_all.toml --set policy.name=msf --set arrivals.rate=7 --out /tmp/msf",
    define_command<run_command>,
    true,
    true};

}  // namespace muster
