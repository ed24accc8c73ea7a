#include "platform/command_line/tune_command.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "platform/command_line/exit_status.h"
#include "platform/command_line/tune_text.h"
#include "platform/experiment/tune.h"
#include "platform/metrics/metric.h"
#include "platform/results/result_directory.h"
#include "platform/results/stored_run.h"
#include "platform/scenario/diagnostics.h"
#include "platform/scenario/dotted_key.h"
#include "platform/scenario/nearest_name.h"
#include "platform/scenario/scenario_file.h"

namespace muster {

namespace {

constexpr std::size_t standard_budget = 20;  // times run.replications

constexpr const char* footer = R"(
LOW:HIGH are integers (0:31 tries integers only) or real numbers (0.1:10.0). All candidates see the same jobs: a coarse
grid with few replications first; those that are significantly worse than the best are dropped, the gaps beside the
others are halved, and their replications doubled up to run.replications. Values at which a class starves or that are
unstable are left out, with the reason. Points of a sweep are tuned one by one.

Example:
  muster tune scenarios/quickswap_one_or_all.toml --set policy.name=msfq --set arrivals.rate=7 \
    --over policy.threshold=0:31 --minimize weighted_response_time)";

std::string wrong_range(const std::string& over) {
  const std::size_t equals = over.find('=');
  if (equals == std::string::npos || !split_key(over.substr(0, equals)))
    return "expected KEY=LOW:HIGH, such as policy.threshold=0:31";
  try {
    const search_range range(over.substr(equals + 1));
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

std::string wrong_metric(const std::string& name) {
  if (find_metric(name)) return "";
  return fmt::format("{} is no metric{}", in_quotes(name), suggestion(name, metric_names()));
}

void check_class(const study& s, const std::string& name) {
  std::vector<std::string> names{"all"};
  for (const class_spec& c : s.points.front().what.classes) names.push_back(c.name);
  if (is_phase(name) || std::find(names.begin(), names.end(), name) != names.end()) return;
  throw results_error(fmt::format("--class: {} is no class{}", in_quotes(name), suggestion(name, names)));
}

}  // namespace

tune_command::tune_command(CLI::App& app)
    : command_(app.add_subcommand("tune", "find the best value of a parameter of a scenario")),
      workers_(std::max(1U, std::thread::hardware_concurrency())) {
  scenario_.add_to(*command_);
  command_->add_option("--over", over_, "the parameter, and the range of its values")
      ->required()
      ->type_name("KEY=LOW:HIGH")
      ->check(wrong_range);
  CLI::Option_group* goal = command_->add_option_group("goal");
  goal->add_option("--minimize", minimize_, "the metric that should be least")
      ->type_name("METRIC")
      ->check(wrong_metric);
  goal->add_option("--maximize", maximize_, "the metric that should be greatest")
      ->type_name("METRIC")
      ->check(wrong_metric);
  goal->require_option(1);
  command_->add_option("--class", class_name_, "the class whose metric it is")
      ->type_name("NAME")
      ->capture_default_str();
  command_
      ->add_option(
          "--budget", budget_,
          fmt::format("replications in all, for each point (default: {} times run.replications)", standard_budget))
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000'000}));
  command_->add_option("-j", workers_, "worker processes; the numbers do not depend on it")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1024}))
      ->capture_default_str();
  command_->add_option("--seed", seed_, "same as --set run.seed=S")->type_name("S");
  command_->add_option("--replications", replications_, "of a candidate at most; same as --set run.replications=R")
      ->type_name("R");
  command_->add_option("--out", out_, "directory in which to leave tune.csv")
      ->type_name("DIR")
      ->check([](const std::string& dir) { return dir.empty() ? "expected a directory" : ""; });
  command_->add_flag("--quiet", quiet_, "no progress");
  command_->footer(footer);
}

bool tune_command::given() const { return command_->parsed(); }

std::string tune_command::key() const { return over_.substr(0, over_.find('=')); }

std::vector<std::string> tune_command::overrides() const {
  std::vector<std::string> all = scenario_.settings;
  if (!seed_.empty()) all.push_back("run.seed=" + seed_);
  if (!replications_.empty()) all.push_back("run.replications=" + replications_);
  return all;
}

// Messages name the option that the user gave.
study tune_command::read(const std::string& value) const {
  std::vector<std::string> all = overrides();
  all.push_back(key() + "=" + value);
  try {
    return read_study(scenario_.file, all);
  } catch (const scenario_error& e) {
    std::vector<diagnostic> diagnostics = e.diagnostics();
    for (diagnostic& d : diagnostics)
      if (d.file == "--set " + all.back()) d.file = "--over " + over_;
    throw scenario_error(std::move(diagnostics));
  }
}

int tune_command::run() const {
  const search_range range(over_.substr(over_.find('=') + 1));
  if (split_key(key())->front() == "run")
    throw scenario_error({{"--over " + over_, 1, 1, key(), "belongs to the run; expected a parameter of the model"}});
  const study s = read(range.text(range.low()));
  read(range.text(range.high()));
  check_class(s, class_name_);
  tuning_goal goal{minimize_ + maximize_, class_name_, {}, workers_};
  goal.terms.maximize = !maximize_.empty();
  for (const study::point& p : s.points)
    if (const auto mistake = find_metric(goal.metric)->mistake(p.what, class_name_))
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
    goal.terms.budget = budget_ > 0 ? budget_ : standard_budget * goal.terms.replications;
    const auto told = [&](const narrowing_result& so_far) {
      if (!quiet_) fmt::print(stderr, "{}", tuning_progress(key(), range, goal, so_far));
    };
    try {
      const narrowing_result found = tune(
          range, goal, [&](double value) { return read(range.text(value)).points[p].what; }, told);
      if (p == 0) fmt::print("{}", tuning_heading(s, key(), range, goal));
      fmt::print("{}", tuning_text(s, p, key(), range, goal, found));
      rows += tuning_csv_rows(s, p, key(), range, goal, found);
      std::fflush(stdout);
    } catch (const std::invalid_argument& e) {
      throw results_error(fmt::format("--budget: {}", e.what()));
    }
  }
  if (!out_.empty()) result_directory::as_it_is(out_).write("tune.csv", rows);
  return done;
}

}  // namespace muster
