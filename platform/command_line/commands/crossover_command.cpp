#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "platform/command_line/command.h"
#include "platform/command_line/common_options.h"
#include "platform/command_line/crossover_text.h"
#include "platform/command_line/search_options.h"
#include "platform/metrics/metric.h"
#include "platform/store/stored_run.h"
#include "platform/toml/diagnostics.h"
#include "platform/toml/dotted_key.h"
#include "platform/toml/quantity.h"

namespace muster {

namespace {

constexpr const char* crossover_footer = R"(
LOW:HIGH are integers (0:31 tries integers only) or real numbers (0.1:10.0). Policies see the same jobs, and are judged
by paired differences. A scan of the range with few replications tells where the better policy changes; each change is
then narrowed down with replications of its own. The last lines of the output are

  crossover: KEY = VALUE (LOW .. HIGH)     for each crossing, with its 95 % interval
  crossover: none: REASON                  where there is none, or none can be seen

Of integers VALUE is the first one from which on the other policy is better. A parameter of one of the policies alone is
left away for the other. Points of a sweep are searched one by one; --between replaces a sweep over policies, --over
one over KEY or over a table that holds KEY (its other keys then have their defaults, or what --set gives them).

Example:
  muster crossover scenarios/quickswap_four_class.toml --set run.jobs=50000 --over arrivals.rate=3.5:4.9 \
    --between msf static_quickswap --metric weighted_response_time --precision 4%)";

std::string wrong_share(const std::string& text) {
  const auto share = share_in(text);
  if (share && *share >= 0.0001 && *share <= 0.25) return "";
  return fmt::format("expected a share of the range from 0.01% to 25%, such as 1% or 0.01, found {}", in_quotes(text));
}

bool is_policy_parameter(const std::vector<std::string>& path) {
  return (path.size() >= 2 && path.front() == "policy") || (path.size() >= 4 && path[path.size() - 2] == "policy");
}

bool same_policy(const scenario& a, const scenario& b) {
  const auto same_of_class = [](const class_spec& x, const class_spec& y) { return x.policy == y.policy; };
  return a.policy.name == b.policy.name && a.policy.settings == b.policy.settings &&
         std::equal(a.classes.begin(), a.classes.end(), b.classes.begin(), b.classes.end(), same_of_class);
}

/// The scenario with a value of the parameter, under one of the policies.
class two_scenarios {
 public:
  two_scenarios(const search_options& search, const std::vector<std::string>& policies)
      : search_(search), policies_(policies), range_(search.range()) {
    if (!is_policy_parameter(*split_key(search.key()))) return;
    const std::array<std::optional<scenario_error>, 2> unknown{refusal_as_unknown(0), refusal_as_unknown(1)};
    const auto helps = [](const scenario_error& e) {
      return std::string(e.what()).find("did you mean") != std::string::npos;
    };
    if (unknown[0] && unknown[1]) throw scenario_error(helps(*unknown[1]) ? *unknown[1] : *unknown[0]);
    has_parameter_ = {!unknown[0], !unknown[1]};
  }

  const search_range& range() const { return range_; }

  study read(double value, std::size_t policy) const {
    const std::string& text = policies_[policy];
    const std::string key = "policy=";
    std::vector<search_setting> settings{{key + text, "--between " + text, static_cast<std::uint32_t>(key.size())}};
    if (has_parameter_[policy]) settings.push_back(search_.parameter(range_.text(value)));
    return search_.read(settings);
  }

 private:
  // Nothing else is wrong with the scenario.
  std::optional<scenario_error> refusal_as_unknown(std::size_t policy) const {
    try {
      read(range_.low(), policy);
    } catch (const scenario_error& e) {
      const auto& all = e.diagnostics();
      const std::string option = search_.parameter("").option;
      if (std::all_of(all.begin(), all.end(),
                      [&](const diagnostic& d) { return d.file == option && d.message.rfind("unknown key", 0) == 0; }))
        return e;
      throw;
    }
    return std::nullopt;
  }

  const search_options& search_;
  const std::vector<std::string>& policies_;
  search_range range_;
  std::array<bool, 2> has_parameter_{true, true};
};

class crossover_command {
 public:
  explicit crossover_command(CLI::App& app) {
    search_.add_subject_to(app, 1, false);
    app.add_option("--between", between_, "the two policies, as in the scenario")
        ->required()
        ->expected(2)
        ->type_name("POLICY POLICY");
    app.add_option("--metric", metric_, "the metric by which one is better")
        ->required()
        ->type_name("METRIC")
        ->check(known_name("metric", metric_names()));
    search_.add_class_to(app);
    app.add_option("--precision", precision_,
                   "half-width of a crossing's interval, as a share of the range, at which the search ends")
        ->type_name("P")
        ->check(wrong_share)
        ->capture_default_str();
    search_.add_run_to(app, 100, "of each policy at a value, to begin with; same as --set run.replications=R",
                       "crossover.csv and crossover_points.csv", "the crossings");
    app.footer(crossover_footer);
  }

  int run(const invocation& how) const {
    std::optional<two_scenarios> scenarios;  // to be read when plugins are loaded
    const auto scenarios_here = [&]() -> const two_scenarios& {
      return scenarios ? *scenarios : scenarios.emplace(search_, between_);
    };
    const auto simulate = [&](const study&, const simulation_task& task) {
      const double value = task.values.front();
      const auto policy = static_cast<std::size_t>(task.values.back());
      const two_scenarios& both = scenarios_here();
      return simulate_trial(both.range().text(value), both.read(value, policy).points[task.point].model,
                            task.replication);
    };
    return search_.run(
        how, [&] { return scenarios_here().read(scenarios_here().range().low(), 0); },
        [&](task_runner* team) { return search(scenarios_here(), team); }, simulate);
  }

 private:
  // @param team see searched_study
  int search(const two_scenarios& both, task_runner* team) const {
    const study first = both.read(both.range().low(), 0), second = both.read(both.range().low(), 1);
    check(both, first, second);
    const std::vector<std::string> names{first.points.front().model.policy.name,
                                         second.points.front().model.policy.name};
    crossover_request request(first, {search_.key(), both.range()}, {metric_, search_.class_name},
                              names[0] != names[1] ? names : between_);
    request.team = team;
    crossover_result result;
    const auto search_point = [&] {
      const run_spec& run = first.points[request.point].model.run;
      request.terms = {run.replications, search_.budget_for(run, search_.times), *share_in(precision_)};
      result = {};
      result = crossover(
          request,
          [&](const search_values& values, std::size_t policy) {
            return both.read(values.front(), policy).points[request.point].model;
          },
          [&](const crossover_result& so_far) {
            result = so_far;
            if (!search_.quiet) fmt::print(stderr, "{}", crossover_progress(request, so_far));
          });
      return result.short_windows;
    };
    const auto files = [&](bool finished) {
      std::vector<data_table> tables{crossing_table(request, finished ? result : crossover_result{}),
                                     points_table(request, result.scanned, "scan"),
                                     points_table(request, result.narrowed, "narrowing")};
      for (data_table& table : tables) table.name = "crossover_points.csv";
      tables.front().name = "crossover.csv";
      return tables;
    };
    if (search_.format == output_format::table) fmt::print("{}", crossover_heading(request));
    return search_.search_points(
        request, {"crossings", "crossover_trials.sqlite", first.model_text + "\n" + second.model_text, search_point,
                  [&] { return crossover_text(request, result); }, files});
  }

  void check(const two_scenarios& both, const study& first, const study& second) const {
    for (const std::size_t policy : {std::size_t{0}, std::size_t{1}}) both.read(both.range().high(), policy);
    if (first.points.size() != second.points.size())
      throw results_error("--between: the sweep has another number of points with the second policy");
    for (std::size_t p = 0; p < first.points.size(); ++p)
      if (same_policy(first.points[p].model, second.points[p].model))
        throw results_error("--between: both policies are the same; expected two that differ");
    if (find_metric(metric_)->scope == metric_scope::phases)
      throw results_error(fmt::format("--metric: {} is measured of phases, which two policies do not share", metric_));
    search_options::check(first, {metric_, search_.class_name}, "--metric", "--class", "policies");
  }

  search_options search_;
  std::vector<std::string> between_;
  std::string metric_, precision_ = "2%";
};

}  // namespace

extern const command_entry crossover_command_entry{"crossover",
                                                   "find where the better of two policies changes",
                                                   70,
                                                   "muster crossover scenarios/quickswap_four_class.toml --over "
                                                   "arrivals.rate=3.5:4.9 --between msf static_quickswap \\\n"
                                                   "  --metric weighted_response_time",
                                                   define_command<crossover_command>,
                                                   true,
                                                   true};

}  // namespace muster
