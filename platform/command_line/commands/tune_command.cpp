#include <algorithm>
#include <cstdio>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "platform/command_line/command.h"
#include "platform/command_line/common_options.h"
#include "platform/command_line/search_options.h"
#include "platform/command_line/search_text.h"
#include "platform/command_line/sweep_answers.h"
#include "platform/metrics/bound_text.h"
#include "platform/store/stored_run.h"
#include "platform/tables/place_in.h"
#include "platform/toml/diagnostics.h"
#include "platform/toml/dotted_key.h"

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
    const auto simulate = [&](const study&, const simulation_task& task) {
      return simulate_trial(space().text(task.values), with(task.values).points[task.point].model, task.replication);
    };
    return search_.run(
        how, [&] { return read_subject(); }, [&](task_runner* team) { return search(team); }, simulate);
  }

 private:
  static void add_objective(CLI::App& to, const char* option, std::vector<std::string>& metrics, const char* help) {
    to.add_option(option, metrics, help)->type_name("METRIC")->allow_extra_args(false)->check(wrong_metric);
  }

  // The metric of an option's text, of which every point has a value.
  metric_of_class checked(const study& s, const std::string& text, const std::string& option) const {
    metric_of_class of = metric_in(text, search_.class_name);
    search_options::check(s, of, option, names_class(text) ? option : "--class", "candidates");
    return of;
  }

  bool is_of_one() const {
    return search_.over.size() == 1 && minimize_.size() + maximize_.size() == 1 && where_.empty();
  }

  std::vector<search_setting> settings_of(const std::vector<double>& values) const {
    std::vector<search_setting> settings;
    for (std::size_t k = 0; k < values.size(); ++k)
      settings.push_back(search_.parameter(search_.range(k).text(values[k]), k));
    return settings;
  }

  // The study with a value of each key.
  study with(const std::vector<double>& values) const { return search_.read(settings_of(values)); }

  // @param team see searched_study
  int search(task_runner* team) const {
    const study s = read_subject();
    search_request request = request_for(s);
    request.team = team;
    search_result result;
    std::vector<point_answer> answers;  // of each point that was searched
    const auto search_point = [&] {
      const run_spec& run = s.points[request.point].model.run;
      request.terms.replications = run.replications;
      request.terms.budget = search_.budget_for(run, is_of_one() ? search_.times : several_times);
      result = {};
      result = tune(
          request, [&](const search_values& values, std::size_t) { return with(values).points[request.point].model; },
          [&](const search_result& so_far) {
            result = so_far;
            if (!search_.quiet) fmt::print(stderr, "{}", search_progress(request, so_far));
          });
      return result.short_windows;
    };
    const auto text = [&] {
      table_document found("");
      if (request.point == 0) found.say(search_heading(request));
      found.append(search_text(request, result));
      point_answer& answer = answers.emplace_back();
      if (!result.front.empty() && !result.no_effect) answer.best = result.tried[result.front.front()];
      answer.undecided = static_cast<std::size_t>(std::count_if(
          result.tried.begin(), result.tried.end(), [](const trial& t) { return t.is_left() && !t.meets_all(); }));
      if (answers.size() == s.points.size()) found.say(sweep_answers(request, answers));
      return found;
    };
    const auto files = [&](bool finished) {
      std::vector<data_table> tables{trial_table(request, result)};
      tables.back().name = "tune.csv";
      if (request.is_over_one_key()) return tables;
      tables.push_back(key_effect_table(request, finished ? result : search_result{}));
      tables.back().name = "key_effects.csv";
      return tables;
    };
    return search_.search_points(request, {fmt::format("{}s", request.space.noun()), "tune_trials.sqlite", s.model_text,
                                           search_point, text, files});
  }

  search_space space() const {
    std::vector<search_axis> axes;
    for (std::size_t k = 0; k < search_.over.size(); ++k) axes.push_back({search_.key(k), search_.range(k)});
    return search_space(std::move(axes));
  }

  // One end of the ranges, the other one, and each value of a list.
  std::vector<std::vector<double>> examples() const {
    std::vector<double> low, high;
    for (std::size_t k = 0; k < search_.over.size(); ++k) {
      low.push_back(search_.range(k).low());
      high.push_back(search_.range(k).high());
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
        if (!first) first = search_.told_with(settings_of(values), e);
      }
    }
    throw scenario_error(*first);
  }

  // Whether the range is of the number of servers of an entry, from 0: that is left out where there is no other entry.
  bool begins_without_servers() const {
    return search_.range().low() == 0.0 && lies_within(search_.key(0), "platform.servers") &&
           split_key(search_.key(0))->back() == "count";
  }

  // The ends of a single range are values that the scenario takes.
  study read_subject() const {
    if (!is_of_one() || search_.range().is_list()) return read_any();
    study s = begins_without_servers() ? read_any() : with({search_.range().low()});
    with({search_.range().high()});
    return s;
  }

  search_request request_for(const study& s) const {
    search_request request(s, space(), {});
    std::vector<search_objective>& objectives = request.terms.objectives;
    for (const std::string& text : minimize_)
      objectives.push_back({place_in(request.metrics, checked(s, text, "--minimize")), false});
    for (const std::string& text : maximize_)
      objectives.push_back({place_in(request.metrics, checked(s, text, "--maximize")), true});
    for (std::size_t o = 0; o < objectives.size(); ++o)
      for (std::size_t before = 0; before < o; ++before)
        if (objectives[before].series == objectives[o].series)
          throw results_error(fmt::format("{}: {} is given twice", maximize_.empty() ? "--minimize" : "--maximize",
                                          request.metrics[objectives[o].series].text()));
    for (const std::string& text : where_) {
      const time_unit& own = s.points.front().model.unit;
      if (const std::string wrong = wrong_bound_unit(text, own); !wrong.empty())
        throw results_error(fmt::format("--where: {}", wrong));
      const metric_bound bound = bound_in(text, own);
      search_options::check(s, bound.of, "--where", "--where", "candidates");
      request.terms.constraints.push_back({place_in(request.metrics, bound.of), bound.at_most, bound.bound});
    }
    return request;
  }

  search_options search_;
  std::vector<std::string> minimize_, maximize_, where_;
};

}  // namespace

extern const command_entry tune_command_entry{
    "tune", "find the best value of a parameter of a scenario", 60, "", define_command<tune_command>, true, true};

}  // namespace muster
