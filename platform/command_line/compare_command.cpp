#include "platform/command_line/compare_command.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "platform/command_line/compare_text.h"
#include "platform/command_line/exit_status.h"
#include "platform/results/compare.h"

namespace muster {

compare_command::compare_command(CLI::App& app)
    : command_(app.add_subcommand("compare", "what differs between two runs of a scenario beyond chance")) {
  command_->add_option("a", a_, "directory of a run")->required()->type_name("DIR_A");
  command_->add_option("b", b_, "directory of another run of that scenario")->required()->type_name("DIR_B");
  command_->add_flag("--all", all_, "show every estimate, not only those that differ");
  command_->footer(R"(
Points are matched by what the sweep has put in, estimates by class and metric. Of runs with the same seed the
replications are paired; others are taken as independent (Welch). All comparisons are judged together (Holm): runs that
are equal are told apart with a probability of 5 % at most.

Exit status: 0 nothing differs beyond chance; 1 something does; 2 bad usage, no results, or nothing in common.)");
}

bool compare_command::given() const { return command_->parsed(); }

int compare_command::run() const {
  stored_run a(a_), b(b_);
  const comparison found = compare(a, b);
  if (found.judged() == 0 && !found.identical)
    throw results_error("too few replications to judge by: expected at least 2 of a point in both");
  fmt::print("{}", comparison_text(found, a_, b_, all_));
  return found.differing() > 0 ? differs : done;
}

}  // namespace muster
