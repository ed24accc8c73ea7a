#include "platform/experiment/experiment.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <numeric>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "platform/experiment/interrupt_guard.h"
#include "platform/experiment/point_notes.h"
#include "platform/experiment/progress.h"
#include "platform/experiment/replication_plan.h"
#include "platform/experiment/replication_text.h"
#include "platform/experiment/sensitivity.h"
#include "platform/experiment/task_runner.h"
#include "platform/results/manifest.h"
#include "platform/results/result_directory.h"
#include "platform/results/result_store.h"
#include "platform/results/results_csv.h"
#include "platform/trace/trace_file.h"

namespace muster {

namespace {

std::vector<std::string> names_of_traces(const study& s, const std::vector<const trace_kind*>& kinds) {
  std::vector<std::string> names;
  for (std::size_t p = 0; p < s.points.size(); ++p)
    for (const trace_kind* kind : kinds) names.push_back(trace_file_name(*kind, p, s));
  return names;
}

/// Runs what the plan wants and the store has not got, and stores what comes back.
class study_run : private task_giver {
 public:
  study_run(const study& s, const run_options& options, task_runner& runner)
      : study_(s),
        options_(options),
        runner_(runner),
        directory_(options.out, s, options.force, names_of_traces(s, options.traces)),
        store_(directory_.file("results.sqlite").string(), s),
        plan_(s),
        warm_ups_(s.points.size()) {
    take_what_is_stored();
  }

  run_summary run() {
    const auto began = std::chrono::system_clock::now();
    shown_.begin(size());
    runner_.run(*this);
    summary_.interrupted = interrupts_.seen();
    mend_traces();
    write_results();
    facts_.interrupted = summary_.interrupted;
    facts_.notes.insert(facts_.notes.begin(), options_.warnings.begin(), options_.warnings.end());
    facts_.notes.insert(facts_.notes.end(), full_notes_.begin(), full_notes_.end());
    facts_.fault = fault_.value_or("");
    directory_.write("manifest.json", manifest(study_, options_.command, runner_.workers(), began, facts_));
    write_page();
    if (fault_) throw simulation_fault(options_.rerun.empty() ? *fault_ : *fault_ + "\n" + rerun_);
    return std::move(summary_);
  }

 private:
  // Where the run has ended with a fault, that is what is to be told.
  void write_page() const {
    if (!options_.write_report) return;
    try {
      options_.write_report(directory_, study_);
    } catch (const std::exception&) {
      if (!fault_) throw;
    }
  }

  // A replication that was not watched as is wanted now has to be run again.
  void take_what_is_stored() {
    const std::vector<std::string> complete = store_.traces();
    const auto is_there = [&](const trace_request& trace) {
      return std::find(complete.begin(), complete.end(), trace.file.filename().string()) != complete.end() &&
             std::filesystem::exists(trace.file);
    };
    for (const result_store::stored& r : store_.list()) {
      const std::vector<trace_request> traces = traces_of({r.point, r.replication});
      if ((options_.watch.check_protocol && !r.protocol_checked) ||
          !std::all_of(traces.begin(), traces.end(), is_there)) {
        store_.remove(r.point, r.replication);
        continue;
      }
      plan_.add(r.point, r.replication, seen_in_store(r));
      if (r.replication == 0) traced_.insert(r.point);
      ++facts_.replications_reused;
    }
    for (std::size_t p = 0; p < study_.points.size(); ++p)
      if (study_.points[p].what.run.warm_up_by_mser5 && (warm_ups_[p] = store_.warm_up(p))) plan_.add_pilot(p);
    if (facts_.replications_reused == 0) return;
    full_notes_.push_back(
        fmt::format("{} replications of an earlier run are in {} and count as they are; --force runs them again",
                    facts_.replications_reused, directory_.file("results.sqlite").string()));
    summary_.notes.push_back(full_notes_.back());
  }

  seen_values seen_in_store(const result_store::stored& r) {
    const sequential_rule& rule = plan_.rule(r.point);
    seen_values seen;
    if (!rule.wants_precision()) return seen;
    for (const precision_target& t : rule.wanted().targets) {
      const std::optional<measurement> found = store_.find(r.point, r.replication, t.class_name, t.metric);
      seen.push_back(found ? rule.seen_in(*found) : std::nullopt);
    }
    return seen;
  }

  std::optional<std::size_t> next() override { return plan_.next(); }

  simulation_task describe(std::size_t number) const override {
    const replication_task& task = plan_.task(number);
    simulation_task all{task.point, task.replication, task.pilot, {}, options_.watch};
    if (task.pilot) return all;
    if (warm_ups_[task.point]) all.warm_up_jobs = warm_ups_[task.point]->jobs;
    all.watch.traces = traces_of(task);
    return all;
  }

  bool tick() override {
    if (shown_.is_due()) shown_.show(state());
    return !interrupts_.seen();
  }

  void mishap(const std::string& what, std::optional<std::size_t> whose) override {
    facts_.notes.push_back(whose ? fmt::format("{}; {} is run again", what, label(plan_.task(*whose))) : what);
    shown_.warn(facts_.notes.back());
  }

  std::string label(const replication_task& task) const {
    return muster::label(study_, task.point, task.replication, task.pilot);
  }

  // How the fault of a replication is looked into.
  std::string rerun(const replication_task& task) const {
    return fmt::format("to run that one alone, in one process: {} --point {} --replication {} --no-fork",
                       options_.rerun, task.point, task.pilot ? "pilot" : std::to_string(task.replication));
  }

  bool take(const task_outcome& outcome) override {
    const replication_task& task = plan_.task(outcome.task);
    if (outcome.failed) {
      fault_ = fmt::format("{}: {}", label(task), outcome.text);
      rerun_ = rerun(task);
      return false;
    }
    if (task.pilot) {
      warm_ups_[task.point] = warm_up_from_text(outcome.text);
      store_.set_warm_up(task.point, *warm_ups_[task.point]);
      plan_.add_pilot(task.point);
      jobs_ += study_.points[task.point].what.run.jobs;
      return true;
    }
    const replication_result result = replication_from_text(outcome.text);
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
      at_least = at_least || (!plan_.is_finished(p) && !study_.points[p].what.run.batch_means &&
                              plan_.rule(p).wants_precision() && !plan_.rule(p).hopeless());
    return {study_.points.size() - plan_.finished_points(), plan_.replications_left(), at_least, runner_.workers()};
  }

  run_state state() const {
    run_state now{study_.points.size(), plan_.finished_points(), jobs_, plan_.jobs_left(), {}, {}};
    const std::optional<std::size_t> point = plan_.point_in_work();
    if (point && !plan_.last_look(*point).intervals.empty()) {
      const sequential_rule& rule = plan_.rule(*point);
      const std::size_t target = rule.furthest(plan_.last_look(*point));
      now.half_width = plan_.last_look(*point).intervals[target].half_width;
      now.wanted = rule.wanted().targets[target].half_width;
    }
    return now;
  }

  // Only the first replication of a point leaves any.
  std::vector<trace_request> traces_of(const replication_task& task) const {
    std::vector<trace_request> traces;
    for (const trace_kind* kind : options_.traces)
      if (task.replication == 0) traces.push_back({kind, directory_.file(trace_file_name(*kind, task.point, study_))});
    return traces;
  }

  // Those who would have ended their traces may have been ended themselves.
  void mend_traces() const {
    for (std::size_t p = 0; p < study_.points.size(); ++p)
      if (traced_.count(p) == 0)
        for (const trace_request& trace : traces_of({p, 0})) mend_trace(trace.file, trace.kind->last_line);
  }

  // Everything but the theory comes from the store, so that it is the same whoever has put it there.
  void write_results() {
    const std::size_t points = study_.points.size();
    summary_.estimates.resize(points);
    summary_.known.resize(points);
    std::string samples = presence_csv_header(study_);
    bool any_samples = false;
    for (std::size_t p = 0; p < points; ++p) {
      const std::vector<replication_result> replications = store_.replications(p, plan_.counted(p));
      note(p, replications);
      if (!plan_.is_finished(p)) continue;
      summary_.estimates[p] = estimate_all(replications);
      if (warm_ups_[p])
        summary_.estimates[p].push_back({"all",
                                         "warm_up_jobs",
                                         static_cast<double>(warm_ups_[p]->jobs),
                                         {},
                                         {},
                                         1,
                                         study_.points[p].what.run.jobs});
      summary_.known[p] = known_answer(study_.points[p].what);
      samples += presence_csv_rows(study_, p, replications.front().presence);
      any_samples = any_samples || !replications.front().presence.empty();
    }
    compare_points();
    mark_points();
    store_.set_estimates(summary_.estimates);
    write_estimates();
    if (any_samples) directory_.write("jobs_in_system.csv", samples);
    facts_.points_finished = plan_.finished_points();
    const result_store::totals sums = store_.sums();
    facts_.replications = sums.replications;
    facts_.jobs = sums.jobs;
    facts_.events = sums.events;
    facts_.seconds = sums.seconds;
  }

  void write_estimates() const {
    std::string rows = csv_header(study_), theory_rows = csv_header(study_);
    bool any_theory = false;
    for (std::size_t p = 0; p < study_.points.size(); ++p) {
      rows += csv_rows(study_, p, summary_.estimates[p]);
      theory_rows += csv_rows(study_, p, summary_.known[p].values);
      any_theory = any_theory || !summary_.known[p].values.empty();
    }
    directory_.write("results.csv", rows);
    if (any_theory) directory_.write("theory.csv", theory_rows);
    std::string difference_rows = differences_csv_header(study_);
    for (const paired_difference& pair : summary_.differences) difference_rows += differences_csv_rows(study_, pair);
    if (!summary_.differences.empty()) directory_.write("differences.csv", difference_rows);
  }

  // What can only be said of several points at once.
  void compare_points() {
    for (const std::vector<std::size_t>& family : families_of_sizes(study_)) {
      if (!std::all_of(family.begin(), family.end(), [&](std::size_t p) { return plan_.is_finished(p); })) continue;
      const std::optional<estimate> found = sensitivity(replications_of(family));
      for (const std::size_t p : family)
        if (found) summary_.estimates[p].push_back(*found);
    }
    for (std::vector<std::size_t>& family : families_of_policies(study_)) {
      family.erase(std::remove_if(family.begin(), family.end(), [&](std::size_t p) { return !plan_.is_finished(p); }),
                   family.end());
      const std::vector<std::vector<replication_result>> found = replications_of(family);
      std::vector<std::size_t> places(family.size());
      std::iota(places.begin(), places.end(), std::size_t{0});
      for (const auto& [a, b] : pairs_within(places))
        summary_.differences.push_back({family[a], family[b], differences(found[a], found[b])});
    }
  }

  void mark_points() {
    for (std::size_t p = 0; p < study_.points.size(); ++p) mark_estimates(summary_.estimates[p], study_, p, plan_);
    for (paired_difference& pair : summary_.differences)
      for (const std::size_t p : {pair.a, pair.b}) mark_estimates(pair.differences, study_, p, plan_);
  }

  std::vector<std::vector<replication_result>> replications_of(const std::vector<std::size_t>& family) {
    std::vector<std::vector<replication_result>> all;
    all.reserve(family.size());
    for (const std::size_t p : family) all.push_back(store_.replications(p, plan_.counted(p)));
    return all;
  }

  void note(std::size_t point, const std::vector<replication_result>& replications) {
    const point_notes notes = notes_on(study_, point, plan_, replications, warm_ups_[point]);
    full_notes_.insert(full_notes_.end(), notes.full.begin(), notes.full.end());
    summary_.notes.insert(summary_.notes.end(), notes.brief.begin(), notes.brief.end());
    if (!plan_.is_finished(point) || !plan_.rule(point).wants_precision()) return;
    const sequential_rule::finding& last = plan_.last_look(point);
    for (std::size_t target = 0; target < last.intervals.size(); ++target)
      facts_.precision.push_back(
          {point, target, plan_.counted(point), last.intervals[target].half_width, last.intervals[target].reached});
    if (!last.reached) summary_.imprecise.push_back(point);
  }

  const study& study_;
  const run_options& options_;
  task_runner& runner_;
  const interrupt_guard interrupts_;
  progress_display shown_{options_.quiet};
  result_directory directory_;
  result_store store_;
  replication_plan plan_;
  std::vector<std::optional<found_warm_up>> warm_ups_;  // by point, where a pilot has told it
  std::set<std::size_t> traced_;                        // points whose first replication has come to its end
  std::uint64_t jobs_ = 0;                              // simulated by this run
  std::size_t measured_ = 0;                            // replications of this run
  std::optional<std::string> fault_;
  std::string rerun_;  // where there is a fault: how it is looked into
  run_facts facts_;
  std::vector<std::string> full_notes_;  // for the manifest; the summary has them in brief
  run_summary summary_;
};

}  // namespace

run_summary run_study(const study& s, const run_options& options, task_runner& runner) {
  return study_run(s, options, runner).run();
}

run_summary run_study(const study& s, const run_options& options) {
  local_runner here(s, options.workers);
  return run_study(s, options, here);
}

}  // namespace muster
