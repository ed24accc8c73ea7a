#include "platform/command_line/command_line.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "muster/modules/scheduler/policy_call.h"
#include "muster/version.h"
#include "platform/command_line/catalogue_text.h"
#include "platform/command_line/compare_command.h"
#include "platform/command_line/crossover_command.h"
#include "platform/command_line/exit_status.h"
#include "platform/command_line/plugins.h"
#include "platform/command_line/result_table.h"
#include "platform/command_line/scenario_options.h"
#include "platform/command_line/single_replication.h"
#include "platform/command_line/stability_text.h"
#include "platform/command_line/tune_command.h"
#include "platform/experiment/experiment.h"
#include "platform/experiment/scenario_trials.h"
#include "platform/ranks/rank_team.h"
#include "platform/ranks/rank_worker.h"
#include "platform/ranks/started_ranks.h"
#include "platform/report/report.h"
#include "platform/results/database.h"
#include "platform/results/result_directory.h"
#include "platform/results/results_csv.h"
#include "platform/results/stored_run.h"
#include "platform/scenario/scenario_file.h"
#include "platform/scenario/study_warnings.h"
#include "platform/theory/theory.h"
#include "platform/toml/diagnostics.h"
#include "platform/toml/nearest_name.h"

namespace muster {

namespace {

constexpr const char* examples = R"(
Examples:
  muster run scenarios/quickswap_one_or_all.toml
  muster run scenarios/quickswap_one_or_all.toml --set policy.name=msf --set arrivals.rate=7 --out /tmp/msf
  muster check scenarios/quickswap_borg_b.toml
  muster theory scenarios/quickswap_one_or_all.toml
  muster report results/quickswap_one_or_all
  muster compare results/before results/after
  muster crossover scenarios/quickswap_four_class.toml --over arrivals.rate=3.5:4.9 --between msf static_quickswap \
    --metric weighted_response_time
  muster list policies

Exit status: 0 done; 1 `compare` has found a difference; 2 bad usage or bad scenario; 3 a fault during simulation; 130 interrupted (what is
finished is kept).)";

void add_directory(CLI::App& command, std::string& out, const char* help) {
  command.add_option("--out", out, help)->type_name("DIR")->check([](const std::string& dir) {
    return dir.empty() ? "expected a directory" : "";
  });
}

void add_plugins(CLI::App& command, std::vector<std::string>& plugins) {
  command.add_option("--plugin", plugins, "shared library with more policies, see policies/plugin.h; repeatable")
      ->type_name("FILE")
      ->allow_extra_args(false);
}

// Quoted where a shell needs it.
std::string shell_word(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                          "0123456789_-+=.,:/@%") == std::string::npos;
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

struct run_arguments {
  scenario_options scenario;
  std::string out;
  std::optional<std::size_t> workers;
  std::string seed, replications, precision;
  std::vector<std::string> traces;
  bool force = false, quiet = false;
  watching watched;
  single_replication single;

  void add_to(CLI::App& command) {
    scenario.add_to(command);
    add_directory(command, out, "directory for the results (default: results/NAME of the scenario)");
    command
        .add_option("-j", workers,
                    "worker processes; the numbers do not depend on it (default: as many as processors; 1 on each rank "
                    "under mpirun)")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1024}));
    command.add_option("--seed", seed, "same as --set run.seed=S")->type_name("S");
    command.add_option("--replications", replications, "same as --set run.replications=R")->type_name("R");
    command
        .add_option("--precision", precision,
                    "replications until the 95 % half-width is below that share of the mean, such as 1% or 0.01; same "
                    "as --set run.precision.half_width=P")
        ->type_name("P");
    command
        .add_option("--trace", traces, "record the first replication of each point: jobs, perfetto or vcd; repeatable")
        ->type_name("KIND")
        ->allow_extra_args(false)
        ->check([](const std::string& kind) {
          if (find_trace_kind(kind)) return std::string();
          return fmt::format("unknown trace kind {}{}", in_quotes(kind), suggestion(kind, trace_names()));
        });
    command.add_flag("--force", force, "overwrite whatever results are in DIR, and run everything anew");
    command.add_flag("--check-protocol", watched.check_protocol,
                     "hold every transaction on every hop against the TLM-2.0 base protocol; a violation is a fault. "
                     "Slower; the numbers are the same");
    command.add_flag("--quiet", quiet, "no progress and no table; warnings and notes stay");
    single.add_to(command);
  }

  std::vector<trace_kind> trace_kinds() const {
    std::set<trace_kind> kinds;
    for (const std::string& name : traces) kinds.insert(*find_trace_kind(name));
    return {kinds.begin(), kinds.end()};
  }

  std::vector<std::string> overrides() const {
    std::vector<std::string> all = scenario.settings;
    if (!seed.empty()) all.push_back("run.seed=" + seed);
    if (!replications.empty()) all.push_back("run.replications=" + replications);
    const bool plain = precision.find_first_not_of("0123456789.eE-+_") == std::string::npos;
    if (!precision.empty())
      all.push_back(fmt::format("run.precision.half_width={1}{0}{1}", precision, plain ? "" : "'"));
    return all;
  }

  // What a replication depends on, without point and number.
  std::string rerun(const std::vector<std::string>& plugins) const {
    std::string words = "muster run " + shell_word(scenario.file);
    for (const std::string& file : plugins) words += " --plugin " + shell_word(file);
    for (const std::string& setting : overrides()) words += " --set " + shell_word(setting);
    return watched.check_protocol ? words + " --check-protocol" : words;
  }
};

// All of them are in the manifest.
void print_notes(const std::vector<std::string>& notes) {
  constexpr std::size_t shown = 20;
  for (std::size_t i = 0; i < std::min(shown, notes.size()); ++i) fmt::print(stderr, "note: {}\n", notes[i]);
  if (notes.size() > shown) fmt::print(stderr, "note: {} more are in manifest.json\n", notes.size() - shown);
}

// What has gone wrong goes to standard error.
int reporting_errors(const std::function<int()>& act) {
  try {
    return act();
  } catch (const scenario_error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return bad_input;
  } catch (const plugin_error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return bad_input;
  } catch (const results_error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return bad_input;
  } catch (const rank_error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return bad_input;
  } catch (const output_error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return bad_input;
  } catch (const search_interrupted& e) {
    fmt::print(stderr, "{}\n", e.what());
    return interrupted;
  } catch (const simulation_fault& e) {
    fmt::print(stderr, "fault: {}\n", e.what());
    return fault;
  } catch (const std::exception& e) {
    fmt::print(stderr, "fault: {}\n", e.what());
    return fault;
  } catch (...) {
    fmt::print(stderr, "fault: an exception, {}\n", thrown_text());
    return fault;
  }
}

// How the run was asked for, and how one of its replications can be.
struct run_commands {
  std::string typed, rerun;
};

int run(const run_arguments& given, const run_commands& commands, const study& s, task_runner& runner) {
  std::vector<std::string> warnings = stability_warnings(s);
  for (std::string& warning : study_warnings(s)) warnings.push_back(std::move(warning));
  for (const std::string& warning : warnings) fmt::print(stderr, "warning: {}\n", warning);
  run_options options;
  options.out = given.out.empty() ? std::filesystem::path("results") / s.name : std::filesystem::path(given.out);
  options.force = given.force;
  options.quiet = given.quiet;
  options.watch = given.watched;
  options.traces = given.trace_kinds();
  options.command = commands.typed;
  options.rerun = commands.rerun;
  options.warnings = warnings;
  options.write_report = write_report;
  const run_summary summary = run_study(s, options, runner);
  print_notes(summary.notes);
  const study_results& found = summary.found;
  const auto& measured = found.estimates.measured;
  const bool any_finished = std::any_of(measured.begin(), measured.end(),
                                        [](const std::vector<estimate>& of_point) { return !of_point.empty(); });
  if (!given.quiet && any_finished) {
    fmt::print("{}", result_table(s, measured, found.known));
    fmt::print("{}", differences_table(s, found.estimates.differences));
    fmt::print("\n{1}Results are in {0}; look at {0}/report.html\n", options.out.string(),
               imprecise_points(found.imprecise, s.points.size()));
  }
  if (!summary.interrupted) return done;
  fmt::print(stderr,
             any_finished ? "interrupted; the points that were finished are in {}\n"
                          : "interrupted before a point was finished; the same command goes on from {}\n",
             options.out.string());
  return interrupted;
}

int run_among_ranks(const run_arguments& given, const run_commands& commands, const std::function<study()>& read,
                    const rank_place& place) {
  const std::unique_ptr<rank_link> link = join_ranks(place);
  const std::size_t workers = given.workers.value_or(1);
  if (place.rank > 0) {
    serve_rank_0(*link, read, workers);
    return done;
  }
  const int status = reporting_errors([&] {
    rank_team team(*link);
    const study s = read();
    team.agree_on(s, workers);
    return run(given, commands, s, team);
  });
  link->leave(status);
  return status;
}

// All ranks have the same command line, and one of them is enough to speak.
bool is_not_first_rank() {
  const auto place = place_among_ranks();
  return place && place->rank > 0;
}

int run(const run_arguments& given, const std::string& command, const std::vector<std::string>& plugins) {
  const auto read = [&] {
    for (const std::string& file : plugins) load_plugin(file);
    return read_study(given.scenario.file, given.overrides());
  };
  const run_commands commands{command, given.rerun(plugins)};
  if (given.single.given()) {
    if (is_not_first_rank()) return done;
    return given.single.run(read(), given.watched.check_protocol, given.quiet);
  }
  if (const auto place = place_among_ranks()) return run_among_ranks(given, commands, read, *place);
  const study s = read();
  local_runner here(s, given.workers.value_or(std::max(1u, std::thread::hardware_concurrency())));
  return run(given, commands, s, here);
}

int check(const scenario_options& given) {
  fmt::print("{}", stability_report(read_study(given.file, given.settings)));
  return done;
}

int tell_theory(const scenario_options& given, const std::string& out) {
  const study s = read_study(given.file, given.settings);
  std::vector<theory> known;
  std::vector<std::vector<estimate>> values;
  for (const study::point& p : s.points) {
    known.push_back(known_answer(p.what));
    values.push_back(known.back().values);
  }
  if (!out.empty()) result_directory::beside_results(out, s).write("theory.csv", results_csv(s, values));
  fmt::print("{}", theory_table(s, known));
  return done;
}

int report(const std::string& dir) {
  const result_directory directory = result_directory::of_results(dir);
  write_report(directory, read_study(directory.file("scenario.toml").string(), {}));
  fmt::print("{} is written, and the figures beside it\n", directory.file("report.html").string());
  return done;
}

// The command line again.
std::string joined(int argc, char** argv) {
  std::string all = "muster";
  for (int i = 1; i < argc; ++i) all += " " + shell_word(argv[i]);
  return all;
}

// What to say of a first word that is not a command.
std::string command_meant(int argc, char** argv) {
  const std::vector<std::string> commands{"run", "check", "theory", "report", "compare", "tune", "crossover", "list"};
  if (argc < 2 || argv[1][0] == '-' || std::find(commands.begin(), commands.end(), argv[1]) != commands.end())
    return "";
  return fmt::format("unknown command '{}'{}\n", argv[1], suggestion(argv[1], commands));
}

int dispatch(int argc, char** argv) {
  CLI::App app{"muster: a hardware-level model of a compute cluster, for scheduling policies with true timing"};
  app.name("muster");
  app.footer(examples);
  app.set_version_flag("--version", std::string("muster ") + version);
  app.require_subcommand(1);

  run_arguments run_given;
  CLI::App* run_command = app.add_subcommand("run", "simulate every point of a scenario and store the results");
  run_given.add_to(*run_command);

  scenario_options check_given;
  CLI::App* check_command =
      app.add_subcommand("check", "validate a scenario; print its loads and stability limits; run nothing");
  check_given.add_to(*check_command);

  scenario_options theory_given;
  std::string theory_out;
  CLI::App* theory_command = app.add_subcommand("theory", "what is known of a scenario's points without simulation");
  theory_given.add_to(*theory_command);
  add_directory(*theory_command, theory_out, "directory in which to leave theory.csv, a run's results beside it");

  std::string reported;
  CLI::App* report_command =
      app.add_subcommand("report", "the web page and figures of a run again from its stored results");
  report_command->add_option("dir", reported, "directory of a run's results")->required()->type_name("DIR");

  std::string subject;
  CLI::App* list_command = app.add_subcommand("list", "what scenarios may name");
  list_command->add_option("what", subject, "policies, distributions, utilities, metrics or scenarios")
      ->required()
      ->check(CLI::IsMember({"policies", "distributions", "utilities", "metrics", "scenarios"}))
      ->type_name("WHAT");

  const compare_command compare_given(app);
  const tune_command tune_given(app);
  const crossover_command crossover_given(app);

  std::vector<std::string> plugins;
  for (CLI::App* command : {run_command, check_command, theory_command, report_command, tune_given.command(),
                            crossover_given.command(), list_command})
    add_plugins(*command, plugins);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (is_not_first_rank()) return done;
    fmt::print(stderr, "{}", command_meant(argc, argv));
    return app.exit(e) == 0 ? done : bad_input;
  }
  if (run_command->parsed()) return run(run_given, joined(argc, argv), plugins);
  if (is_not_first_rank()) return done;
  for (const std::string& file : plugins) load_plugin(file);
  if (check_command->parsed()) return check(check_given);
  if (report_command->parsed()) return report(reported);
  if (theory_command->parsed()) return tell_theory(theory_given, theory_out);
  if (compare_given.given()) return compare_given.run();
  if (tune_given.given()) return tune_given.run();
  if (crossover_given.given()) return crossover_given.run();
  fmt::print("{}", list_of(subject));
  return done;
}

}  // namespace

int command_line(int argc, char** argv) {
  return reporting_errors([&] { return dispatch(argc, argv); });
}

}  // namespace muster
