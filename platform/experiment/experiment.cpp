#include "platform/experiment/experiment.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "platform/experiment/interrupt_guard.h"
#include "platform/experiment/progress.h"
#include "platform/experiment/replication_plan.h"
#include "platform/experiment/simulation_task.h"
#include "platform/inference/stability_of_study.h"
#include "platform/simulation/arrival_board.h"
#include "platform/store/result_directory.h"
#include "platform/store/result_store.h"

namespace muster {

namespace {

std::vector<std::string> names_of_traces(const study& s, const std::vector<const trace_kind*>& kinds) {
  std::vector<std::string> names;
  for (std::size_t p = 0; p < s.points.size(); ++p)
    for (const trace_kind* kind : kinds) names.push_back(trace_file_name(*kind, p, s));
  return names;
}

/// Runs what the plan wants and the store has not got, and stores what comes back.
class study_run : private task_source {
 public:
  study_run(const study& s, const std::vector<stability>& known, const run_options& options, task_runner& runner)
      : study_(s),
        stability_(known),
        options_(options),
        runner_(runner),
        directory_(options.out, s, options.force, names_of_traces(s, options.traces), options.code),
        store_(directory_.file("results.sqlite").string(), s, options.code),
        plan_(s, known),
        warm_ups_(s.points.size()) {
    tell_when_interrupted(fmt::format("the same command goes on from {}", options_.out.string()));
    take_what_is_stored();
  }

  run_summary run() {
    const auto began = std::chrono::system_clock::now();
    shown_.begin(size());
    runner_.run(*this);
    store_.commit();
    runner_.end();
    mend_traces();
    summary_.found = results_of(study_, stability_, store_, plan_);
    summary_.interrupted = interrupt_guard::seen();  // now, as exact values are left out once it is
    gather_notes();
    write_results(study_, summary_.found, store_, directory_);
    write_manifest(began);
    interrupts_.reset();
    summary_.interrupted = interrupt_guard::seen();  // while the results were written as well
    tell_when_interrupted(
        fmt::format("the results are in {0}, and `muster report {0}` draws them", options_.out.string()));
    store_.set_stability(
        stability_of(study_, summary_.interrupted ? stability_ : examine_points(study_, limit_search::thorough)));
    if (summary_.interrupted)
      store_.commit();
    else
      store_.pack();
    write_page();
    if (fault_) throw simulation_fault(*fault_ + rerun_);
    return std::move(summary_);
  }

 private:
  void gather_notes() {
    const auto add = [](std::vector<std::string>& to, const std::vector<std::string>& more) {
      to.insert(to.end(), more.begin(), more.end());
    };
    study_estimates& found = summary_.found.estimates;
    found.warnings = options_.warnings;
    const std::vector<std::string> of_study = study_.notes();
    summary_.notes.insert(summary_.notes.begin(), of_study.begin(), of_study.end());
    for (const auto* more : {&facts_.notes, &summary_.notes, &summary_.found.notes.full}) add(found.notes, *more);
    facts_.notes = found.warnings;
    add(facts_.notes, found.notes);
    add(summary_.notes, summary_.found.notes.brief);
  }

  void write_manifest(std::chrono::system_clock::time_point began) {
    facts_.code = store_.code();
    facts_.stored = store_.sums();
    facts_.points_finished = plan_.finished_points();
    facts_.precision = summary_.found.precision;
    facts_.variance = summary_.found.variance;
    facts_.interrupted = summary_.interrupted;
    facts_.fault = fault_.value_or("");
    directory_.write("manifest.json", manifest(study_, options_.command, runner_.workers(), began, facts_));
  }

  // Writes page and figures. Where the run has ended with a fault, the fault is reported, and no error of the page.
  // Figures take seconds, which nobody waits for who has interrupted the run.
  void write_page() const {
    if (!options_.write_report) return;
    try {
      options_.write_report(directory_, study_, !summary_.interrupted);
    } catch (const std::exception&) {
      if (!fault_) throw;
    }
  }

  // Takes over stored replications. One that was not watched as is wanted now is run again.
  void take_what_is_stored() {
    const std::vector<std::string> complete = store_.traces();
    const auto is_there = [&](const trace_request& trace) {
      return std::find(complete.begin(), complete.end(), trace.file.filename().string()) != complete.end() &&
             std::filesystem::exists(trace.file);
    };
    std::vector<replication_result> of_point;
    std::optional<std::size_t> read;  // the point that they are of
    for (const result_store::stored& r : store_.list()) {
      if (read != r.point) of_point = store_.replications(r.point, std::numeric_limits<std::uint32_t>::max());
      read = r.point;
      const std::vector<trace_request> traces = traces_of({r.point, r.replication});
      if ((options_.watch.check_protocol && !r.protocol_checked) ||
          (study_.points[r.point].model.records_parts() && !r.in_parts) ||
          !std::all_of(traces.begin(), traces.end(), is_there)) {
        store_.remove(r.point, r.replication);
        continue;
      }
      plan_.add(r.point, r.replication, plan_.rule(r.point).seen_in(of_point[r.replication]));
      if (r.replication == 0) traced_.insert(r.point);
      ++facts_.replications_reused;
    }
    for (std::size_t p = 0; p < study_.points.size(); ++p)
      if (study_.points[p].model.run.warm_up_by_mser5 && (warm_ups_[p] = store_.warm_up(p))) plan_.add_pilot(p);
    if (facts_.replications_reused == 0) return;
    summary_.notes.push_back(
        fmt::format("{} replications of an earlier run are in {} and count as they are; --force runs them again",
                    facts_.replications_reused, directory_.file("results.sqlite").string()));
  }

  std::optional<std::size_t> next() override { return plan_.next(); }

  simulation_task describe(std::size_t number) const override {
    const replication_task& task = plan_.task(number);
    simulation_task all{task, {}, options_.watch};
    if (task.pilot) return all;
    all.watch.pictures = task.point < most_drawn_points;
    all.watch.unstable = stability_[task.point].answer == stability::verdict::unstable;
    if (warm_ups_[task.point]) all.warm_up_jobs = warm_ups_[task.point]->jobs;
    all.watch.traces = traces_of(task);
    return all;
  }

  bool tick() override {
    store_.commit_if_due();
    if (shown_.is_due()) shown_.show(state());
    return !interrupt_guard::seen();
  }

  void incident(const std::string& message, std::optional<std::size_t> whose) override {
    facts_.notes.push_back(whose ? fmt::format("{}; {} is run again", message, label(study_, plan_.task(*whose)))
                                 : message);
    shown_.warn(facts_.notes.back());
  }

  bool take(const task_outcome& outcome) override {
    const replication_task& task = plan_.task(outcome.task);
    if (outcome.failed) {
      fault_ = fmt::format("{}: {}", label(study_, task), fault_of(outcome, study_.points[task.point].model));
      if (!options_.rerun.empty())
        rerun_ = fmt::format("\nto run that one alone, in one process: {} --point {} --replication {} --no-fork",
                             options_.rerun, task.point, task.pilot ? "pilot" : std::to_string(task.replication));
      return false;
    }
    if (task.pilot) {
      warm_ups_[task.point] = warm_up_from_text(outcome.text);
      store_.set_warm_up(task.point, *warm_ups_[task.point]);
      plan_.add_pilot(task.point);
      jobs_ += study_.points[task.point].model.run.jobs;
      return true;
    }
    const replication_result result = replication_from_bytes(outcome.text);
    std::vector<std::string> traces;
    for (const trace_request& trace : traces_of(task)) traces.push_back(trace.file.filename().string());
    store_.add(task.point, task.replication, result, options_.watch.check_protocol, traces);
    plan_.add(task.point, task.replication, plan_.rule(task.point).seen_in(result));
    if (task.replication == 0) traced_.insert(task.point);
    jobs_ += result.jobs;
    if (++measured_ == runner_.workers()) shown_.estimate(state(), measured_);  // one of each worker
    return true;
  }

  run_size size() const {
    bool at_least = false;
    for (std::size_t p = 0; p < study_.points.size(); ++p)
      at_least = at_least || (!plan_.is_finished(p) && plan_.rule(p).waits_for_others());
    return {study_.points.size() - plan_.finished_points(), plan_.replications_left(), at_least, runner_.workers()};
  }

  run_state state() const {
    const std::uint64_t under_way = arrival_board::arrivals_under_way();
    const double left = std::max(0.0, plan_.jobs_left() - static_cast<double>(under_way));
    run_state now{study_.points.size(), plan_.finished_points(), jobs_ + under_way, left, {}, {}};
    const std::optional<std::size_t> point = plan_.point_in_work();
    if (point && !plan_.last_look(*point).intervals.empty()) {
      const sequential_rule& rule = plan_.rule(*point);
      const std::size_t target = rule.furthest(plan_.last_look(*point));
      now.half_width = plan_.last_look(*point).intervals[target].half_width;
      now.wanted = rule.wanted().targets[target].half_width;
    }
    return now;
  }

  // The traces of a replication: only the first one of a point leaves any.
  std::vector<trace_request> traces_of(const replication_task& task) const {
    std::vector<trace_request> traces;
    for (const trace_kind* kind : options_.traces)
      if (task.replication == 0) traces.push_back({kind, directory_.file(trace_file_name(*kind, task.point, study_))});
    return traces;
  }

  // Mends the traces of replications that were ended before their end.
  void mend_traces() const {
    for (std::size_t p = 0; p < study_.points.size(); ++p)
      if (traced_.count(p) == 0)
        for (const trace_request& trace : traces_of({p, 0})) mend_trace(trace);
  }

  const study& study_;
  const std::vector<stability>& stability_;
  const run_options& options_;
  task_runner& runner_;
  std::optional<interrupt_guard> interrupts_{std::in_place};  // until all that has been measured is written
  progress_display shown_{options_.quiet};
  result_directory directory_;
  result_store store_;
  replication_plan plan_;
  std::vector<std::optional<found_warm_up>> warm_ups_;  // by point, where a pilot has told it
  std::set<std::size_t> traced_;                        // points whose first replication has come to its end
  std::uint64_t jobs_ = 0;                              // simulated by this run
  std::size_t measured_ = 0;                            // replications of this run
  std::optional<std::string> fault_;
  std::string rerun_;  // a line that tells how the fault is looked into, if it is to be told
  run_facts facts_;
  run_summary summary_;
};

}  // namespace

run_summary run_study(const study& s, const std::vector<stability>& known, const run_options& options,
                      task_runner& runner) {
  const std::string store = (options.out / "results.sqlite").string();
  return with_database_errors_as<std::runtime_error>(store, [&] { return study_run(s, known, options, runner).run(); });
}

}  // namespace muster
