#include "platform/command_line/tune_command.h"

#include <cstdio>
#include <stdexcept>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "platform/command_line/exit_status.h"
#include "platform/command_line/tune_text.h"
#include "platform/experiment/tune.h"
#include "platform/metrics/metric.h"
#include "platform/results/result_directory.h"
#include "platform/results/stored_run.h"

namespace muster {

namespace {

constexpr std::size_t tune_budget = 20;  // times run.replications

constexpr const char* tune_footer = R"(
LOW:HIGH are integers (0:31 tries integers only) or real numbers (0.1:10.0). All candidates see the same jobs: a coarse
grid with few replications first; those that are significantly worse than the best are dropped, the gaps beside the
others are halved, and their replications doubled up to run.replications. Values at which a class starves or that are
unstable are left out, with the reason. Points of a sweep are tuned one by one; --over replaces a sweep over KEY
or over a table that holds KEY (its other keys then have their defaults, or what --set gives them).

Example:
  muster tune scenarios/quickswap_one_or_all.toml --set policy.name=msfq --set arrivals.rate=7 \
    --over policy.threshold=0:31 --minimize weighted_response_time)";

}  // namespace

tune_command::tune_command(CLI::App& app)
    : command_(app.add_subcommand("tune", "find the best value of a parameter of a scenario")) {
  search_.add_subject_to(*command_);
  CLI::Option_group* goal = command_->add_option_group("goal");
  goal->add_option("--minimize", minimize_, "the metric that should be least")
      ->type_name("METRIC")
      ->check(wrong_metric);
  goal->add_option("--maximize", maximize_, "the metric that should be greatest")
      ->type_name("METRIC")
      ->check(wrong_metric);
  goal->require_option(1);
  search_.add_class_to(*command_);
  search_.add_run_to(*command_, tune_budget, "of a candidate at most; same as --set run.replications=R", "tune.csv");
  command_->footer(tune_footer);
}

bool tune_command::given() const { return command_->parsed(); }

study tune_command::read(const search_range& range, double value) const {
  return search_.read({search_.parameter(range.text(value))});
}

int tune_command::run() const {
  const search_range range = search_.range();
  const std::string key = search_.key();
  search_.check_key();
  const study s = read(range, range.low());
  read(range, range.high());
  search_.check_class(s);
  tuning_goal goal{minimize_ + maximize_, search_.class_name, {}, search_.workers};
  goal.terms.maximize = !maximize_.empty();
  for (const study::point& p : s.points)
    if (const auto mistake = find_metric(goal.metric)->mistake(p.what, goal.class_name))
      throw results_error(fmt::format("{}: {}",
                                      mistake->of_class     ? "--class"
                                      : goal.terms.maximize ? "--maximize"
                                                            : "--minimize",
                                      mistake->message));
  std::string rows = tuning_csv_header(s);
  for (const study::point& p : s.points)
    if (p.what.run.replications < 2)
      throw results_error("run.replications: expected at least 2, to tell candidates apart");
  for (std::size_t p = 0; p < s.points.size(); ++p) {
    goal.terms.replications = s.points[p].what.run.replications;
    goal.terms.budget = search_.budget > 0 ? search_.budget : tune_budget * goal.terms.replications;
    const auto told = [&](const narrowing_result& so_far) {
      if (!search_.quiet) fmt::print(stderr, "{}", tuning_progress(key, range, goal, so_far));
    };
    try {
      const narrowing_result found = tune(
          range, goal, [&](double value) { return read(range, value).points[p].what; }, told);
      if (p == 0) fmt::print("{}", tuning_heading(s, key, range, goal));
      fmt::print("{}", tuning_text(s, p, key, range, goal, found));
      rows += tuning_csv_rows(s, p, key, range, goal, found);
      std::fflush(stdout);
    } catch (const std::invalid_argument& e) {
      throw results_error(fmt::format("--budget: {}", e.what()));
    }
  }
  if (!search_.out.empty()) result_directory::as_it_is(search_.out).write("tune.csv", rows);
  return done;
}

}  // namespace muster
