#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "muster/policies/catalogue.h"
#include "platform/command_line/command.h"
#include "platform/command_line/common_options.h"
#include "platform/command_line/forecast_text.h"
#include "platform/command_line/run_text.h"
#include "platform/experiment/interrupt_guard.h"
#include "platform/forecast/run_time_history.h"
#include "platform/model/job_kind.h"
#include "platform/scenario/point_settings.h"
#include "platform/scenario/scenario_file.h"
#include "platform/search/scenario_search.h"
#include "platform/store/result_directory.h"
#include "platform/store/stored_run.h"
#include "platform/tables/number_text.h"
#include "platform/tables/writers.h"
#include "platform/toml/diagnostics.h"
#include "platform/toml/quantity.h"

namespace muster {

namespace {

constexpr const char* forecast_footer = R"(
When does each job of today's queue start? initial.file of the scenario has the jobs that run and wait now, such as what
squeue prints. Each replication draws the run times that are not known: those of the user's earlier jobs, as shares of
what was requested, else of all users' (--history, else the log of arrivals.file), else by the law of the class. Of a
job that runs, only run times are drawn that are longer than it has run. Further jobs arrive as the scenario says; with
arrivals.process = "none" there are none. The output has

  All of the N jobs that wait have started in .. ( .. )    when the queue of now is empty
  Job J of USER starts in A (B .. C), P % within T         median, from B to C in 80 % of cases: of the first
                                                           job of the queue, and of the one that starts last
  With KEY=VALUE: all have started A earlier ..            of each --with: the mean shift, in pairs on the same draws
  a table of all jobs that wait

Examples:
  squeue -t PD,R -o "%i|%T|%M|%l|%C|%u|%P|%V|%r|%N" > queue.txt
  muster forecast my_site.toml --set initial.file=queue.txt --history jobs_of_last_month.txt
  muster forecast my_site.toml --with platform.servers.node.count=11 --with policy.name=fcfs)";

/// A change of --with: its settings stand between semicolons.
std::vector<std::string> settings_in(const std::string& change) {
  std::vector<std::string> settings;
  std::string setting;
  int depth = 0;
  char quote = '\0';
  const auto end = [&] {
    const std::size_t first = setting.find_first_not_of(' ');
    if (first != std::string::npos)
      settings.push_back(setting.substr(first, setting.find_last_not_of(' ') - first + 1));
    setting.clear();
  };
  for (const char c : change) {
    if (quote != '\0')
      quote = c == quote ? '\0' : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (c == '[' || c == '{')
      ++depth;
    else if (c == ']' || c == '}')
      --depth;
    if (c == ';' && quote == '\0' && depth == 0)
      end();
    else
      setting += c;
  }
  end();
  return settings;
}

class forecast_command {
 public:
  explicit forecast_command(CLI::App& app) {
    given_.add_to(app);
    app.add_option("--with", changes_,
                   "a change to compare with, as after --set; several settings of one change stand between semicolons; "
                   "repeatable")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    app.add_option("--history", history_,
                   "log of jobs that have ended, in a format of logs (default: that of the arrivals)")
        ->type_name("LOG");
    app.add_option("--within", within_,
                   "a time for which to tell how probable a start is by then, such as '4 h'; repeatable (default: 1 h, "
                   "4 h, 1 d)")
        ->type_name("TIME")
        ->allow_extra_args(false);
    app.add_option("--replications", replications_, "draws of the run times and arrivals")
        ->type_name("R")
        ->capture_default_str()
        ->check(CLI::Range(1, 100'000));
    app.add_option("--seed", given_.seed, "same as --set run.seed=S")->type_name("S");
    add_workers(app, workers_, " (default: as many as processors; 1 on each rank under mpirun)");
    add_directory(app, out_, "directory in which to leave forecast.csv, queue.csv and forecast.svg");
    app.add_flag("--quiet", quiet_, "no progress");
    add_format(app, format_, "the starts of all jobs");
    app.footer(forecast_footer);
  }

  int run(const invocation& how) {
    const auto simulate = [&](const study&, const simulation_task& task) {
      const forecast_request& request = request_of(task.point);
      return starts_to_text(simulate_queue(request.variants.at(static_cast<std::size_t>(task.values.front())),
                                           request.history, task.replication));
    };
    return run_here_or_among_ranks(
        workers_.value_or(1), [&] { how.load_plugins(); }, [&] { return read_subject().read; },
        [&](task_runner* team) { return forecast(team); }, simulate);
  }

 private:
  const study_with_queues& read_subject() {
    if (!subject_) subject_.emplace(read_study_with_queues(given_.file, given_.overrides()));
    return *subject_;
  }

  // What is asked at a point: made once.
  forecast_request& request_of(std::size_t point) {
    const auto known = requests_.find(point);
    if (known != requests_.end()) return known->second;
    const study_with_queues& subject = read_subject();
    forecast_request request;
    request.subject = &subject.read;
    request.point = point;
    request.variants.push_back({"", subject.read.points[point].model, subject.queues[point]});
    check(request.variants.front());
    for (const std::string& change : changes_) request.variants.push_back(changed(point, change));
    request.history = history_.empty() ? history_of_log(request.variants.front().model)
                                       : given_history(request.variants.front().model.unit);
    request.replications = replications_;
    for (const std::string& time : within_.empty() ? std::vector<std::string>{"1 h", "4 h", "1 d"} : within_)
      request.within.push_back(time_of(time, request.variants.front().model.unit));
    std::sort(request.within.begin(), request.within.end());
    return requests_.emplace(point, std::move(request)).first->second;
  }

  static void check(const forecast_variant& variant) {
    const job_kind kind = kind_of_jobs(variant.model);
    if (kind != job_kind::rigid)
      throw results_error(
          fmt::format("the jobs of this scenario are {}; expected rigid jobs, whose starts can be forecast",
                      kind == job_kind::slotted ? "slotted" : "pooled"));
    if (variant.model.schedulers.several())
      throw results_error("platform.schedulers.count: expected one scheduler, whose queue is forecast");
    if (variant.queue.empty()) throw results_error("no job waits at time 0; " + why_no_job(variant.model));
    if (std::all_of(variant.queue.begin(), variant.queue.end(), [](const queued_job& j) { return j.runs; }))
      throw results_error(fmt::format("initial.file: none of {} waits, as all run; expected a job that waits",
                                      counted(variant.queue.size(), "job")));
  }

  // What initial.file has, where all of its jobs are left out; else what it should have.
  static std::string why_no_job(const scenario& model) {
    for (const std::string& note : model.arrivals.notes)
      if (note.rfind("initial ", 0) == 0 && note.find("left out") != std::string::npos) return note;
    return "expected initial.file with the queue of now, such as what squeue prints";
  }

  forecast_variant changed(std::size_t point, const std::string& change) {
    std::vector<std::string> all = given_.overrides();
    for (const std::string& setting : point_settings(read_subject().read, point)) all.push_back(setting);
    const std::vector<std::string> settings = settings_in(change);
    if (settings.empty()) throw results_error("--with: expected KEY=VALUE");
    all.insert(all.end(), settings.begin(), settings.end());
    try {
      study_with_queues found = read_study_with_queues(given_.file, all);
      if (found.read.points.size() != 1) throw results_error(fmt::format("--with {}: expected one value", change));
      forecast_variant variant{change, std::move(found.read.points.front().model), std::move(found.queues.front())};
      check(variant);
      return variant;
    } catch (const scenario_error& e) {
      std::vector<diagnostic> diagnostics = e.diagnostics();
      for (diagnostic& d : diagnostics)
        for (const std::string& setting : settings)
          if (d.file == "--set " + setting) d.file = "--with " + setting;
      throw scenario_error(std::move(diagnostics));
    }
  }

  run_time_history given_history(const time_unit& unit) {
    try {
      history_of_file found = read_history(history_, unit);
      history_digest_ = found.digest;
      return std::move(found.jobs);
    } catch (const std::runtime_error& e) {
      throw results_error(fmt::format("--history: {}", e.what()));
    }
  }

  static double time_of(const std::string& text, const time_unit& unit) {
    const auto given = quantity_in(text);
    const auto time = given ? in_own_unit(*given, units_of_key("time", units_beside(unit))) : std::nullopt;
    if (!time || !(*time > 0.0))
      throw results_error(
          fmt::format("--within: expected a time > 0 with its unit, such as '4 h', found {}", in_quotes(text)));
    return *time;
  }

  // What the scenario says that a reader of the forecast must know.
  static std::vector<std::string> notes_on(const forecast_request& request, const queue_forecast& found) {
    std::vector<std::string> notes;
    const scenario& model = request.variants.front().model;
    if (model.arrivals.only_initial())
      notes.emplace_back(
          "no further jobs arrive, as arrivals.process is none: starts that others may delay are too early");
    const bool drawn = found.sources[0] < request.variants.front().queue.size();
    const bool plans = std::any_of(request.variants.begin(), request.variants.end(), [](const forecast_variant& v) {
      const policy_entry* policy = find_policy(v.model.policy.name);
      return policy && policy->uses_estimates;
    });
    if (drawn && plans && model.arrivals.estimates.from == estimate_spec::rule::exact)
      notes.emplace_back(
          "the scheduler knows the drawn run times, as arrivals.estimate is exact: one that plans ahead does better "
          "than with what users request");
    return notes;
  }

  // All that the starts depend on, but changes and replications.
  std::string question() const { return subject_->read.model_text + "\nhistory " + history_digest_; }

  // @param team simulates in place of processes of this machine; null: none
  int forecast(task_runner* team) {
    const study& s = read_subject().read;
    std::optional<result_directory> directory;
    std::optional<trial_store> store;
    if (!out_.empty()) {
      request_of(0);  // reads the history
      directory.emplace(result_directory::of_search(out_));
      tell_when_interrupted(fmt::format("the same command goes on from {}", out_));
      store.emplace(directory->file("forecast.sqlite").string(), question(), running_code());
      if (store->taken_over() > 0 && !quiet_)
        fmt::print(stderr, "{} in {} are used again\n", counted(store->taken_over(), "replication"), out_);
    }
    table_document output("starts");
    std::vector<data_table> files;
    try {
      for (std::size_t point = 0; point < s.points.size(); ++point) {
        forecast_request& request = request_of(point);
        request.team = team;
        request.workers = workers_.value_or(usual_workers());
        request.store = store ? &*store : nullptr;
        std::size_t told = 0;
        const std::vector<queue_forecast> found = forecast_queue(request, [&](std::size_t done, std::size_t all) {
          if (quiet_ || (done * 10) / all == told) return;
          told = (done * 10) / all;
          fmt::print(stderr, "{} of {} replications\n", done, all);
        });
        if (!found.front().drawn && request.replications > 1)
          fmt::print(stderr,
                     "note: no random number is drawn, so that all replications have the same, and one is simulated: "
                     "where initial.file tells time limits alone, --history makes run times known\n");
        for (const std::string& note : notes_on(request, found.front())) fmt::print(stderr, "note: {}\n", note);
        const table_document text = forecast_text(request, found);
        if (format_ == output_format::table) fmt::print("{}", text.text());
        std::fflush(stdout);
        output.append(text);
        if (directory)
          if (const std::string drawn = start_figure(request, found); !drawn.empty())
            directory->write(s.points.size() == 1 ? "forecast.svg" : fmt::format("forecast_{}.svg", point), drawn);
        for (data_table& table : std::vector<data_table>{start_table(request, found), queue_table(request, found)}) {
          table.name = table.name == "starts" ? "forecast.csv" : "queue.csv";
          add_rows(files, std::move(table));
        }
      }
    } catch (const search_interrupted&) {
      fmt::print(stderr, "interrupted{}\n",
                 out_.empty() ? "" : fmt::format("; the same command goes on from {}", out_));
      return interrupted;
    }
    if (format_ != output_format::table) fmt::print("{}", output.in(format_));
    for (const data_table& file : files)
      if (directory) directory->write(file.name, to_csv(file));
    fmt::print(stderr, "{}", first_few("note", s.notes(), "the output of muster check --format json"));
    return done;
  }

  scenario_options given_;
  std::vector<std::string> changes_, within_;
  std::string history_, history_digest_, out_;
  std::uint32_t replications_ = 200;
  std::optional<std::size_t> workers_;
  bool quiet_ = false;
  output_format format_ = output_format::table;
  std::optional<study_with_queues> subject_;
  std::map<std::size_t, forecast_request> requests_;  // by point
};

}  // namespace

extern const command_entry forecast_command_entry{
    "forecast", "when each job of today's queue starts", 73, "", define_command<forecast_command>, true, true};

}  // namespace muster
