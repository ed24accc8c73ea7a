#include <cstdio>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "platform/command_line/command.h"
#include "platform/command_line/exit_status.h"
#include "platform/command_line/search_options.h"
#include "platform/command_line/tune_text.h"
#include "platform/experiment/scenario_search.h"
#include "platform/results/result_directory.h"

namespace muster {

namespace {

constexpr const char* tune_footer = R"(
LOW:HIGH are integers (0:31 tries integers only) or real numbers (0.1:10.0). All candidates see the same jobs: a coarse
grid with few replications first; those that are significantly worse than the best are dropped, the gaps beside the
others are halved, and their replications doubled up to run.replications. Values at which a class starves or that are
unstable are left out, with the reason. Points of a sweep are tuned one by one; --over replaces a sweep over KEY
or over a table that holds KEY (its other keys then have their defaults, or what --set gives them).

Example:
  muster tune scenarios/quickswap_one_or_all.toml --set policy.name=msfq --set arrivals.rate=7 \
    --over policy.threshold=0:31 --minimize weighted_response_time)";

class tune_command {
 public:
  explicit tune_command(CLI::App& app) {
    search_.add_subject_to(app);
    CLI::Option_group* goal = app.add_option_group("goal");
    add_metric(*goal, "--minimize", minimize_, "the metric that should be least");
    add_metric(*goal, "--maximize", maximize_, "the metric that should be greatest");
    goal->require_option(1);
    search_.add_class_to(app);
    search_.add_run_to(app, 20, "of a candidate at most; same as --set run.replications=R", "tune.csv");
    app.footer(tune_footer);
  }

  int run(const invocation&) const {
    const search_range range = search_.range();
    const auto with = [&](double value) { return search_.read({search_.parameter(range.text(value))}); };
    search_.check_key();
    const study s = with(range.low());
    with(range.high());
    tuning_question asked{s, search_.key(), range, {{minimize_ + maximize_, search_.class_name, *search_.workers}, {}}};
    asked.goal.terms.maximize = !maximize_.empty();
    search_.check(s, asked.goal.metric, maximize_.empty() ? "--minimize" : "--maximize", "candidates");
    const auto told = [&](const narrowing_result& so_far) {
      if (!search_.quiet) fmt::print(stderr, "{}", tuning_progress(asked, so_far));
    };
    std::string rows = tuning_csv_header(s);
    search_options::at_each_point(s, [&](std::size_t p) {
      asked.goal.terms.replications = s.points[p].what.run.replications;
      asked.goal.terms.budget = search_.budget_for(s.points[p].what);
      const narrowing_result found = tune(
          range, asked.goal, [&](double value) { return with(value).points[p].what; }, told);
      if (p == 0) fmt::print("{}", tuning_heading(asked));
      fmt::print("{}", tuning_text(asked, p, found));
      rows += tuning_csv_rows(asked, p, found);
    });
    if (!search_.out.empty()) result_directory::as_it_is(search_.out).write("tune.csv", rows);
    return done;
  }

 private:
  search_options search_;
  std::string minimize_, maximize_;
};

}  // namespace

extern const command_entry tune_command_entry{"tune", "find the best value of a parameter of a scenario", 60, "",
                                              define_command<tune_command>};

}  // namespace muster
