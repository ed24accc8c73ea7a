#include "platform/command_line/single_replication.h"

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "platform/command_line/exit_status.h"
#include "platform/experiment/replication_text.h"
#include "platform/experiment/simulation_task.h"

namespace muster {

namespace {

constexpr const char* pilot = "pilot";

// The greatest number belongs to pilots.
std::optional<std::uint32_t> number_in(const std::string& text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || number == std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  return number;
}

}  // namespace

void single_replication::add_to(CLI::App& command) {
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
            return text == pilot || number_in(text) ? std::string()
                                                    : "expected the number of a replication, or pilot; found " + text;
          });
  no_fork->needs(point)->needs(replication)->excludes("--trace");
  point->needs(no_fork);
  replication->needs(no_fork);
}

int single_replication::run(const study& s, bool check_protocol, bool quiet) const {
  if (point_ >= s.points.size()) {
    fmt::print(stderr, "--point: expected a point from 0 to {}, found {}\n", s.points.size() - 1, point_);
    return bad_input;
  }
  const simulation_task task{
      point_, number_in(replication_).value_or(0), replication_ == pilot, {}, {check_protocol, {}}};
  if (task.pilot && !s.points[point_].what.run.warm_up_by_mser5) {
    fmt::print(stderr, "--replication: there is no pilot, because run.warm_up is not 'mser5'; expected a number\n");
    return bad_input;
  }
  const std::string text = simulate(s, task);
  if (quiet) return done;
  const std::string name = label(s, task.point, task.replication, task.pilot);
  if (task.pilot) {
    fmt::print("{}: no fault; a warm-up of {} jobs\n", name, warm_up_from_text(text).jobs);
    return done;
  }
  const replication_result result = replication_from_text(text);
  fmt::print("{}: no fault; {} jobs, {} events, simulated time {:.6g} {}\n", name, result.jobs, result.events,
             result.simulated_time, s.points[point_].what.unit.name);
  return done;
}

}  // namespace muster
