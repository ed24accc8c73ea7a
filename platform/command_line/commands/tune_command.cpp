#include <algorithm>
#include <cstdio>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "platform/command_line/among_ranks.h"
#include "platform/command_line/command.h"
#include "platform/command_line/exit_status.h"
#include "platform/command_line/exploration_text.h"
#include "platform/command_line/metric_option.h"
#include "platform/command_line/search_options.h"
#include "platform/command_line/text_table.h"
#include "platform/command_line/tune_text.h"
#include "platform/experiment/interrupt_guard.h"
#include "platform/metrics/bound_text.h"
#include "platform/results/result_directory.h"
#include "platform/results/stored_run.h"
#include "platform/search/scenario_search.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

constexpr std::size_t most_keys = 8;
constexpr std::size_t several_times = 100;  // run.replications: the budget over several keys

constexpr const char* tune_footer = R"(
LOW:HIGH are integers (0:31 tries integers only) or real numbers (0.1:10.0); with LOW:HIGH:STEP only LOW, LOW + STEP and
so on up to HIGH are tried; A,B,C are these values, such as names of policies (--over policy=fcfs,msf). All candidates
see the same jobs: a coarse grid with few replications first; those that are significantly worse than the best are
dropped, the gaps beside the others are halved, and their replications doubled up to run.replications. Values at which a
class starves or that are unstable are left out, with the reason. Points of a sweep are tuned one by one; --over
replaces a sweep over KEY or over a table that holds KEY (its other keys then have their defaults, or what --set gives
them).

METRIC is one of `muster list metrics`, METRIC[CLASS] that of a class, else --class says of which (in --where: all).
With several --over all combinations of their values are candidates; of several --minimize and --maximize the front is
sought, which no other candidate excels in all of them; --where bounds metrics. The budget is then 100 times
run.replications if it is left out. The output has a line `best: KEY = VALUE` for each key, or `front: ..` for each
candidate of the front. Prices, for the metric cost, are the keys of [price] (`muster list keys`).

Examples:
  muster tune scenarios/quickswap_one_or_all.toml --set policy.name=msfq --set arrivals.rate=7 \
    --over policy.threshold=0:31 --minimize weighted_response_time
  muster tune scenarios/sizing.toml --over platform.servers.node.count=1:12 --over platform.servers.node.cores=4:16 \
    --minimize cost --where 'response_time_p99[web] <= 3.5'
  muster tune scenarios/which_policy.toml --over policy=fcfs,msf,first_fit --minimize weighted_response_time)";

class tune_command {
 public:
  explicit tune_command(CLI::App& app) {
    search_.add_subject_to(app, most_keys, true);
    CLI::Option_group* goal = app.add_option_group("goal");
    add_objective(*goal, "--minimize", minimize_, "the metric that should be least; repeatable");
    add_objective(*goal, "--maximize", maximize_, "the metric that should be greatest; repeatable");
    goal->require_option(1, 2);
    app.add_option("--where", where_, "a bound that must be met; repeatable")
        ->type_name("BOUND")
        ->allow_extra_args(false)
        ->check(wrong_bound);
    search_.add_class_to(app);
    search_.several_times = several_times;
    search_.add_run_to(app, 20, "of a candidate at most; same as --set run.replications=R", "tune.csv",
                       "the values, or combinations, that were tried");
    app.footer(tune_footer);
  }

  int run(const invocation& how) const {
    const auto place = place_among_ranks();
    if (!place) {
      how.load_plugins();
      return search(nullptr);
    }
    const auto read = [&] {
      how.load_plugins();
      search_.check_keys();
      return read_subject();
    };
    const auto simulate = [&](const study&, const simulation_task& task) {
      return simulate_candidate(text_of(task.values), with(task.values).points[task.point].what, task.replication);
    };
    return run_among_ranks(
        *place, search_.workers_given ? *search_.workers : 1, read,
        [&](const study&, task_runner& team) { return search(&team); }, simulate);
  }

 private:
  static void add_objective(CLI::App& to, const char* option, std::vector<std::string>& metrics, const char* help) {
    to.add_option(option, metrics, help)->type_name("METRIC")->allow_extra_args(false)->check(wrong_metric);
  }

  // That a metric can be had, of its class.
  metric_of_class checked(const study& s, const std::string& text, const std::string& option) const {
    metric_of_class of = metric_in(text, search_.class_name);
    search_options::check(s, of, option, names_class(text) ? option : "--class", "candidates");
    return of;
  }

  bool is_of_one() const {
    return search_.over.size() == 1 && minimize_.size() + maximize_.size() == 1 && where_.empty();
  }

  // @param team see trial_means
  int search(task_runner* team) const {
    search_.check_keys();
    return is_of_one() ? tune_one(team) : explore_several(team);
  }

  // The study with a value of each key.
  study with(const std::vector<double>& values) const {
    std::vector<search_setting> settings;
    for (std::size_t k = 0; k < values.size(); ++k)
      settings.push_back(search_.parameter(search_.range(k).text(values[k]), k));
    return search_.read(settings);
  }

  std::string text_of(const std::vector<double>& values) const {
    std::vector<std::string> words;
    for (std::size_t k = 0; k < values.size(); ++k) words.push_back(search_.range(k).text(values[k]));
    return fmt::format("{}", fmt::join(words, ", "));
  }

  int tune_one(task_runner* team) const {
    const search_range range = search_.range();
    const study s = read_subject();
    const metric_of_class metric =
        maximize_.empty() ? checked(s, minimize_.front(), "--minimize") : checked(s, maximize_.front(), "--maximize");
    tuning_question asked{s, search_.key(), range, {{metric, {*search_.workers}}, {}}};
    asked.goal.terms.maximize = !maximize_.empty();
    const std::optional<result_directory> directory = search_.directory();
    std::optional<trial_store> store = open_store(directory, s, {metric});
    asked.goal.store = store ? &*store : nullptr;
    asked.goal.team = team;
    narrowing_result found;
    const auto told = [&](const narrowing_result& so_far) {
      found = so_far;
      if (!search_.quiet) fmt::print(stderr, "{}", tuning_progress(asked, so_far));
    };
    std::string rows = tuning_csv_header(s);
    output_printer output(search_.format, "values");
    int status = done;
    const interrupt_guard interrupts;
    try {
      search_options::at_each_point(s, [&](std::size_t p) {
        asked.goal.point = p;
        found = {};
        asked.goal.terms.replications = s.points[p].what.run.replications;
        asked.goal.terms.budget = search_.budget_for(s.points[p].what);
        found = tune(
            range, asked.goal, [&](double value) { return with({value}).points[p].what; }, told);
        if (p == 0) output.say(tuning_heading(asked));
        output.add(tuning_text(asked, p, found));
        rows += tuning_csv_rows(asked, p, found);
      });
    } catch (const search_interrupted&) {
      rows += tuning_csv_rows(asked, asked.goal.point, found);
      status = interrupted;
    }
    output.end();
    if (directory) directory->write("tune.csv", rows);
    if (status == interrupted) tell_of_interruption("values");
    return status;
  }

  // @param what was tried
  void tell_of_interruption(const char* what) const {
    fmt::print(stderr, "interrupted{}\n",
               search_.out.empty() ? "" : fmt::format("; the {} that were finished are in {}", what, search_.out));
  }

  std::vector<grid_axis> axes() const {
    std::vector<grid_axis> all;
    for (std::size_t k = 0; k < search_.over.size(); ++k) all.emplace_back(search_.range(k));
    return all;
  }

  // One end of the ranges, the other one, and each value of a list.
  std::vector<std::vector<double>> examples() const {
    std::vector<double> low, high;
    for (const grid_axis& axis : axes()) {
      low.push_back(axis.range().low());
      high.push_back(axis.range().high());
    }
    std::vector<std::vector<double>> all{low, high};
    for (std::size_t k = 0; k < low.size(); ++k)
      for (std::size_t n = 1; search_.range(k).is_list() && n < search_.range(k).steps(); ++n) {
        all.push_back(low);
        all.back()[k] = search_.range(k).after(n);
      }
    return all;
  }

  // Combinations that the scenario does not take are no mistake, if there are others.
  study read_any() const {
    std::optional<scenario_error> first;
    for (const std::vector<double>& values : examples()) {
      try {
        return with(values);
      } catch (const scenario_error& e) {
        if (!first) first = e;
      }
    }
    throw scenario_error(*first);
  }

  // The ends of a single range are values that the scenario takes.
  study read_subject() const {
    if (!is_of_one() || search_.range().is_list()) return read_any();
    study s = with({search_.range().low()});
    with({search_.range().high()});
    return s;
  }

  static std::size_t series_of(const metric_of_class& metric, std::vector<metric_of_class>& all) {
    const auto known = std::find(all.begin(), all.end(), metric);
    if (known != all.end()) return static_cast<std::size_t>(known - all.begin());
    all.push_back(metric);
    return all.size() - 1;
  }

  exploration_goal goal_for(const study& s) const {
    exploration_goal goal;
    goal.workers = *search_.workers;
    for (const std::string& text : minimize_)
      goal.terms.objectives.push_back({series_of(checked(s, text, "--minimize"), goal.metrics), false});
    for (const std::string& text : maximize_)
      goal.terms.objectives.push_back({series_of(checked(s, text, "--maximize"), goal.metrics), true});
    for (std::size_t o = 0; o < goal.terms.objectives.size(); ++o)
      for (std::size_t before = 0; before < o; ++before)
        if (goal.terms.objectives[before].series == goal.terms.objectives[o].series)
          throw results_error(fmt::format("{}: {} is given twice", maximize_.empty() ? "--minimize" : "--maximize",
                                          goal.metrics[goal.terms.objectives[o].series].text()));
    for (const std::string& text : where_) {
      const metric_bound bound = bound_in(text);
      search_options::check(s, bound.of, "--where", "--where", "candidates");
      goal.terms.constraints.push_back({series_of(bound.of, goal.metrics), bound.at_most, bound.bound});
    }
    return goal;
  }

  // What the trials have found stays in the directory, for the same search to go on from.
  std::optional<trial_store> open_store(const std::optional<result_directory>& directory, const study& s,
                                        const std::vector<metric_of_class>& metrics) const {
    if (!directory) return std::nullopt;
    tell_when_interrupted(fmt::format("the same command goes on from {}", search_.out));
    std::string question = s.model;
    for (std::size_t k = 0; k < search_.over.size(); ++k) question += "\n" + search_.key(k);
    for (const metric_of_class& metric : metrics) question += "\n" + metric.text();
    std::optional<trial_store> store(std::in_place, directory->file("tune_trials.sqlite").string(), question,
                                     running_code());
    if (store->taken_over() > 0 && !search_.quiet)
      fmt::print(stderr, "{} in {} are used again\n", counted(store->taken_over(), "replication"), search_.out);
    return store;
  }

  int explore_several(task_runner* team) const {
    std::vector<std::string> keys;
    for (std::size_t k = 0; k < search_.over.size(); ++k) keys.push_back(search_.key(k));
    const study s = read_subject();
    exploration_question asked{s, keys, axes(), goal_for(s)};
    const std::optional<result_directory> directory = search_.directory();
    std::optional<trial_store> store = open_store(directory, s, asked.goal.metrics);
    asked.goal.store = store ? &*store : nullptr;
    asked.goal.team = team;
    exploration_result found;
    std::size_t at = 0;
    const auto told = [&](const exploration_result& so_far) {
      found = so_far;
      if (!search_.quiet) fmt::print(stderr, "{}", exploration_progress(asked, so_far));
    };
    output_printer output(search_.format, "combinations");
    std::string rows = exploration_csv_header(asked), effects = key_effects_csv_header(s);
    int status = done;
    const interrupt_guard interrupts;
    try {
      search_options::at_each_point(s, [&](std::size_t p) {
        at = asked.goal.point = p;
        found = {};
        const scenario& point = s.points[p].what;
        asked.goal.terms.replications = point.run.replications;
        asked.goal.terms.budget = search_.budget_for(point, several_times);
        found = explore(
            asked.axes, asked.goal, [&](const std::vector<double>& values) { return with(values).points[p].what; },
            told);
        if (p == 0) output.say(exploration_heading(asked));
        output.add(exploration_text(asked, p, found));
        rows += exploration_csv_rows(asked, p, found);
        effects += key_effects_csv_rows(asked, p, found);
      });
    } catch (const search_interrupted&) {
      rows += exploration_csv_rows(asked, at, found);
      status = interrupted;
    }
    output.end();
    if (directory) directory->write("tune.csv", rows);
    if (directory) directory->write("key_effects.csv", effects);
    if (status == interrupted) tell_of_interruption("combinations");
    return status;
  }

  search_options search_;
  std::vector<std::string> minimize_, maximize_, where_;
};

}  // namespace

extern const command_entry tune_command_entry{
    "tune", "find the best value of a parameter of a scenario", 60, "", define_command<tune_command>, true, true};

}  // namespace muster
