#include "platform/command_line/command_line.h"

#include <cstdio>
#include <filesystem>
#include <thread>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "platform/command_line/catalogue_text.h"
#include "platform/command_line/result_table.h"
#include "platform/command_line/stability_text.h"
#include "platform/experiment/experiment.h"
#include "platform/results/database.h"
#include "platform/results/result_directory.h"
#include "platform/scenario/diagnostics.h"
#include "platform/scenario/scenario_file.h"
#include "platform/version.h"

namespace muster {

namespace {

enum exit_status { done = 0, bad_input = 2, fault = 3, interrupted = 130 };

constexpr const char* examples = R"(
Examples:
  muster run scenarios/quickswap_one_or_all.toml
  muster run scenarios/quickswap_one_or_all.toml --set policy.name=msf --set arrivals.rate=7 --out /tmp/msf
  muster check scenarios/quickswap_borg_b.toml
  muster list policies

Exit status: 0 done; 2 bad usage or bad scenario; 3 a fault during simulation; 130 interrupted (what is finished is kept).)";

struct scenario_options {
  std::string file;
  std::vector<std::string> settings;

  void add_to(CLI::App& command) {
    command.add_option("scenario", file, "scenario file (TOML)")->required()->type_name("SCENARIO.toml");
    command.add_option("--set", settings, "replace one value of the scenario, or a sweep over it; repeatable")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
  }
};

struct run_arguments {
  scenario_options scenario;
  std::string out;
  std::size_t workers = std::max(1u, std::thread::hardware_concurrency());
  std::string seed, replications;
  bool force = false, quiet = false;

  void add_to(CLI::App& command) {
    scenario.add_to(command);
    command.add_option("--out", out, "directory for the results (default: results/NAME of the scenario)")
        ->type_name("DIR");
    command.add_option("-j", workers, "worker processes; the numbers do not depend on it")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1024}))
        ->capture_default_str();
    command.add_option("--seed", seed, "same as --set run.seed=S")->type_name("S");
    command.add_option("--replications", replications, "same as --set run.replications=R")->type_name("R");
    command.add_flag("--force", force, "overwrite results of another scenario in DIR");
    command.add_flag("--quiet", quiet, "no progress and no table");
  }

  std::vector<std::string> overrides() const {
    std::vector<std::string> all = scenario.settings;
    if (!seed.empty()) all.push_back("run.seed=" + seed);
    if (!replications.empty()) all.push_back("run.replications=" + replications);
    return all;
  }
};

int run(const run_arguments& given, const std::string& command) {
  const study s = read_study(given.scenario.file, given.overrides());
  const std::string warnings = stability_warnings(s);
  if (!given.quiet) fmt::print(stderr, "{}", warnings);
  run_options options;
  options.out = given.out.empty() ? std::filesystem::path("results") / s.name : std::filesystem::path(given.out);
  options.workers = given.workers;
  options.force = given.force;
  options.quiet = given.quiet;
  options.command = command;
  const run_summary summary = run_study(s, options);
  for (const std::string& note : summary.notes) fmt::print(stderr, "note: {}\n", note);
  if (!given.quiet) {
    fmt::print("{}", result_table(s, summary.estimates));
    fmt::print("\nResults are in {}\n", options.out.string());
  }
  if (!summary.interrupted) return done;
  fmt::print(stderr, "interrupted; the points that were finished are in {}\n", options.out.string());
  return interrupted;
}

int check(const scenario_options& given) {
  fmt::print("{}", stability_report(read_study(given.file, given.settings)));
  return done;
}

std::string joined(int argc, char** argv) {
  std::string all;
  for (int i = 0; i < argc; ++i) all += (i ? " " : "") + std::string(argv[i]);
  return all;
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

  std::string subject;
  CLI::App* list_command = app.add_subcommand("list", "what scenarios may name");
  list_command->add_option("what", subject, "policies, distributions, metrics or scenarios")
      ->required()
      ->check(CLI::IsMember({"policies", "distributions", "metrics", "scenarios"}))
      ->type_name("WHAT");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? done : bad_input;
  }
  if (run_command->parsed()) return run(run_given, joined(argc, argv));
  if (check_command->parsed()) return check(check_given);
  fmt::print("{}", list_of(subject));
  return done;
}

}  // namespace

int command_line(int argc, char** argv) {
  try {
    return dispatch(argc, argv);
  } catch (const scenario_error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return bad_input;
  } catch (const output_error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return bad_input;
  } catch (const simulation_fault& e) {
    fmt::print(stderr, "fault: {}\n", e.what());
    return fault;
  } catch (const std::exception& e) {
    fmt::print(stderr, "fault: {}\n", e.what());
    return fault;
  }
}

}  // namespace muster
