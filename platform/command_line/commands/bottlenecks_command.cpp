#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "platform/command_line/bottleneck_text.h"
#include "platform/command_line/command.h"
#include "platform/command_line/common_options.h"
#include "platform/command_line/search_options.h"
#include "platform/inference/judge.h"
#include "platform/metrics/metric.h"
#include "platform/model/job_kind.h"
#include "platform/scenario/point_settings.h"
#include "platform/store/stored_run.h"

namespace muster {

namespace {

constexpr const char* bottlenecks_footer = R"(
Each point of the sweep is simulated as it is and with one change of its hardware at a time, on the same jobs: one more
server of each entry, one more core in each of its servers, cores 10 % faster, one more of each kind of devices, twice
of each amount, twice each bandwidth, half of each latency, of the decision time and of each cost of jobs that is not
zero. Jobs arrive at the rate of the unchanged point, also where arrivals.load gives it. The output has

  CHANGE gains most: METRIC A -> B (C +- D %).     what binds, in one sentence
  Of its response time a job spends ..             what jobs wait for
  a table of all changes by what they gain, with 95 % intervals of paired differences, and whether they are significant

METRIC is any whose larger or smaller values are better (`muster help METRIC` tells which), METRIC[CLASS] that of a
class. With [price] the table has what each change costs and gains for that. A point that cannot be measured at all does
not end the sweep; the exit status is then 2, after a fault 3.

Examples:
  muster bottlenecks scenarios/what_to_buy.toml
  muster bottlenecks scenarios/gpu_cluster.toml --set platform.placement=best_fit --goal 'waiting_time[all_eight]')";

class bottlenecks_command {
 public:
  explicit bottlenecks_command(CLI::App& app) {
    search_.scenario.add_to(app);
    app.add_option("--goal", goal_,
                   "the metric that should become better (default: response_time; of slotted jobs utility)")
        ->type_name("METRIC")
        ->check(wrong_metric);
    search_.add_run_to(app, 0, "of each change; same as --set run.replications=R", "bottlenecks.csv",
                       "the changes of the hardware");
    app.footer(bottlenecks_footer);
  }

  int run(const invocation& how) const {
    const auto simulate = [&](const study& s, const simulation_task& task) {
      const auto change = static_cast<std::size_t>(task.values.front());
      return simulate_trial(fmt::format("{}", change), changed(s, task.point, change), task.replication);
    };
    return search_.run(
        how, [&] { return read_subject(); }, [&](task_runner* team) { return search(team); }, simulate);
  }

 private:
  // The study is read with report.explain, so that the parts of the response time are measured, too.
  study read_subject() const { return search_.read({explained()}); }

  static search_setting explained() { return {"report.explain=true", "--set report.explain=true"}; }

  // A point of the study, changed as hardware_changes() says; 0: unchanged.
  scenario changed(const study& s, std::size_t point, std::size_t change) const {
    std::vector<search_setting> settings{explained()};
    const auto add = [&](const std::vector<std::string>& more) {
      for (const std::string& setting : more) settings.push_back({setting, "--set " + setting});
    };
    add(point_settings(s, point));
    if (change > 0) add(hardware_changes(s.points[point].model)[change - 1].settings);
    return search_.read(settings).points.front().model;
  }

  // The usual goal is the response time; that of slotted jobs, which may leave unserved, is what they are judged by.
  static metric_of_class usual_goal(const scenario& model) {
    const std::vector<metric_of_class> judged =
        is_slotted(model) ? judged_metrics(model) : std::vector<metric_of_class>{};
    return judged.empty() ? metric_of_class{"response_time"} : judged.front();
  }

  metric_of_class goal_of(const study& s) const {
    metric_of_class goal = goal_.empty() ? usual_goal(s.points.front().model) : metric_of_class::of_text(goal_);
    search_options::check(s, goal, "--goal", "--goal", "changes");
    if (find_metric(goal.metric)->better == metric_preference::none)
      throw results_error(fmt::format("--goal: neither larger nor smaller values of {} are better", goal.metric));
    return goal;
  }

  static bottleneck_request request_for(const study& s, std::size_t point, const metric_of_class& goal) {
    const scenario& model = s.points[point].model;
    std::vector<metric_of_class> metrics{goal};
    if (model.price && goal.metric != "cost") metrics.push_back({"cost"});
    for (const metric_of_class& part : parts_of_response_time(model, goal.class_name))
      if (!(part == goal)) metrics.push_back(part);
    return bottleneck_request(s, std::move(metrics), hardware_changes(model));
  }

  // @param team see searched_study
  int search(task_runner* team) const {
    const study s = read_subject();
    const metric_of_class goal = goal_of(s);
    bottleneck_request request = request_for(s, 0, goal);
    bottlenecks result;
    int status = done;  // 2 or 3: a point cannot be measured
    const auto search_point = [&] {
      const std::size_t point = request.point;
      bottleneck_request next = request_for(s, point, goal);
      request.space = next.space;
      request.changes = next.changes;
      request.metrics = next.metrics;
      request.team = team;
      request.replications = s.points[point].model.run.replications;
      result = bottlenecks{};
      result = find_bottlenecks(
          request, [&](std::size_t change) { return changed(s, point, change); },
          [&](const bottlenecks& so_far) {
            result = so_far;
            if (!search_.quiet) fmt::print(stderr, "{}", bottleneck_progress(request, so_far));
          });
      if (!result.any_measured()) status = std::max<int>(status, result.any_fault ? fault : bad_input);
      return bottleneck_notes(request, result);
    };
    const auto text = [&] {
      table_document found("");
      if (request.point == 0) found.say(bottleneck_heading(request));
      found.append(bottleneck_text(request, result));
      return found;
    };
    const auto files = [&](bool) {
      std::vector<data_table> tables;
      if (!result.effects.empty()) tables.push_back(effect_table(request, result));
      for (data_table& table : tables) table.name = "bottlenecks.csv";
      return tables;
    };
    const int searched = search_.search_points(
        request, {"changes", "bottleneck_trials.sqlite", s.model_text, search_point, text, files});
    return searched == done ? status : searched;
  }

  search_options search_;
  std::string goal_;
};

}  // namespace

extern const command_entry bottlenecks_command_entry{
    "bottlenecks", "which component of the hardware binds", 72, "", define_command<bottlenecks_command>, true, true};

}  // namespace muster
