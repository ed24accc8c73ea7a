#include "platform/experiment/experiment.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "platform/experiment/progress.h"
#include "platform/experiment/replication_text.h"
#include "platform/experiment/sensitivity.h"
#include "platform/experiment/worker_pool.h"
#include "platform/results/manifest.h"
#include "platform/results/result_directory.h"
#include "platform/results/result_store.h"
#include "platform/results/results_csv.h"
#include "platform/trace/mend_trace.h"

namespace muster {

namespace {

volatile std::sig_atomic_t interrupt_seen = 0;

/// While it lives, SIGINT and SIGTERM only leave a mark.
class interrupt_guard {
 public:
  interrupt_guard() {
    struct sigaction mark {};
    mark.sa_handler = [](int) { interrupt_seen = 1; };
    sigaction(SIGINT, &mark, &before_int_);
    sigaction(SIGTERM, &mark, &before_term_);
  }
  ~interrupt_guard() {
    sigaction(SIGINT, &before_int_, nullptr);
    sigaction(SIGTERM, &before_term_, nullptr);
  }
  interrupt_guard(const interrupt_guard&) = delete;
  interrupt_guard& operator=(const interrupt_guard&) = delete;

 private:
  struct sigaction before_int_ {
  }, before_term_{};
};

struct task {
  std::size_t point;
  std::uint32_t replication;
};

std::vector<task> tasks_of(const study& s) {
  std::vector<task> tasks;
  for (std::size_t p = 0; p < s.points.size(); ++p)
    for (std::uint32_t r = 0; r < s.points[p].what.run.replications; ++r) tasks.push_back({p, r});
  return tasks;
}

std::vector<std::string> names_of_traces(const study& s, const std::vector<trace_kind>& kinds) {
  std::vector<std::string> names;
  for (std::size_t p = 0; p < s.points.size(); ++p)
    for (const trace_kind kind : kinds) names.push_back(trace_file_name(kind, p, s.points.size()));
  return names;
}

/// Runs the tasks and stores what comes back.
class study_run {
 public:
  study_run(const study& s, const run_options& options)
      : study_(s),
        options_(options),
        directory_(options.out, s, options.force, names_of_traces(s, options.traces)),
        store_(directory_.file("results.sqlite").string(), s),
        tasks_(tasks_of(s)),
        finished_(s.points.size()),
        traced_(s.points.size()),
        presence_(s.points.size()) {}

  run_summary run() {
    const interrupt_guard guard;
    const auto began = std::chrono::system_clock::now();
    {
      progress shown(tasks_.size(), options_.quiet);
      worker_pool(options_.workers)
          .run(
              tasks_.size(),
              [this](std::size_t at) {
                const task& t = tasks_[at];
                return to_text(run_replication(study_.points[t.point].what, t.replication, watch_of(t)));
              },
              [&](const task_outcome& outcome) { return take(outcome, shown); },
              [&] {
                shown.tick();
                return interrupt_seen == 0;
              });
    }
    summary_.interrupted = interrupt_seen != 0;
    mend_traces();
    write_results();
    facts_.interrupted = summary_.interrupted;
    facts_.notes = options_.warnings;
    facts_.notes.insert(facts_.notes.end(), summary_.notes.begin(), summary_.notes.end());
    facts_.fault = fault_.value_or("");
    directory_.write("manifest.json", manifest(study_, options_.command, options_.workers, began, facts_));
    if (fault_) throw simulation_fault(*fault_);
    return std::move(summary_);
  }

 private:
  std::vector<trace_request> traces_of(std::size_t point) const {
    std::vector<trace_request> traces;
    for (const trace_kind kind : options_.traces)
      traces.push_back({kind, directory_.file(trace_file_name(kind, point, study_.points.size()))});
    return traces;
  }

  watching watch_of(const task& t) const {
    watching watch = options_.watch;
    if (t.replication == 0) watch.traces = traces_of(t.point);
    return watch;
  }

  // Those who would have ended their traces may have been ended themselves.
  void mend_traces() const {
    for (std::size_t p = 0; p < study_.points.size(); ++p)
      if (!traced_[p])
        for (const trace_request& trace : traces_of(p)) mend_trace(trace);
  }

  bool take(const task_outcome& outcome, progress& shown) {
    const task& t = tasks_[outcome.task];
    if (outcome.failed) {
      fault_ = fmt::format("{}, replication {}: {}", study_.label(t.point), t.replication, outcome.text);
      return false;
    }
    replication_result result = replication_from_text(outcome.text);
    store_.add(t.point, t.replication, result);
    ++finished_[t.point];
    if (t.replication == 0) traced_[t.point] = true;
    ++facts_.replications;
    facts_.jobs += result.jobs;
    facts_.events += result.events;
    facts_.seconds += result.seconds;
    for (const std::string& note : result.notes) notes_[{t.point, note}].insert(t.replication);
    if (!result.presence.empty()) presence_[t.point] = std::move(result.presence);
    shown.finished(result.jobs);
    return true;
  }

  bool is_finished(std::size_t point) const { return finished_[point] == study_.points[point].what.run.replications; }

  void estimate_points() {
    summary_.estimates.resize(study_.points.size());
    summary_.known.resize(study_.points.size());
    for (std::size_t p = 0; p < study_.points.size(); ++p) {
      if (!is_finished(p)) continue;
      summary_.estimates[p] = estimate_all(store_.replications(p));
      summary_.known[p] = known_answer(study_.points[p].what);
    }
    for (const std::vector<std::size_t>& family : families_of_sizes(study_)) {
      if (!std::all_of(family.begin(), family.end(), [&](std::size_t p) { return is_finished(p); })) continue;
      std::vector<std::vector<replication_result>> replications;
      replications.reserve(family.size());
      for (const std::size_t p : family) replications.push_back(store_.replications(p));
      const std::optional<estimate> found = sensitivity(replications);
      for (const std::size_t p : family)
        if (found) summary_.estimates[p].push_back(*found);
    }
  }

  void write_results() {
    estimate_points();
    std::string rows = csv_header(study_);
    std::string theory_rows = csv_header(study_);
    bool any_theory = false;
    std::string samples = presence_csv_header(study_);
    bool any_samples = false;
    for (std::size_t p = 0; p < study_.points.size(); ++p) {
      if (!is_finished(p)) continue;
      ++facts_.points_finished;
      store_.set_estimates(p, summary_.estimates[p]);
      rows += csv_rows(study_, p, summary_.estimates[p]);
      theory_rows += csv_rows(study_, p, summary_.known[p].values);
      any_theory = any_theory || !summary_.known[p].values.empty();
      samples += presence_csv_rows(study_, p, presence_[p]);
      any_samples = any_samples || !presence_[p].empty();
    }
    directory_.write("results.csv", rows);
    if (any_theory) directory_.write("theory.csv", theory_rows);
    if (any_samples) directory_.write("jobs_in_system.csv", samples);
    for (const auto& [key, replications] : notes_)
      summary_.notes.push_back(fmt::format("{}: {} (in {} of {} replications)", study_.label(key.first), key.second,
                                           replications.size(), study_.points[key.first].what.run.replications));
  }

  const study& study_;
  const run_options& options_;
  result_directory directory_;
  result_store store_;
  std::vector<task> tasks_;
  std::vector<std::uint32_t> finished_;
  std::vector<bool> traced_;  // the point's first replication has come to its end
  std::vector<std::vector<presence_sample>> presence_;
  std::map<std::pair<std::size_t, std::string>, std::set<std::uint32_t>> notes_;
  std::optional<std::string> fault_;
  run_facts facts_;
  run_summary summary_;
};

}  // namespace

run_summary run_study(const study& s, const run_options& options) { return study_run(s, options).run(); }

}  // namespace muster
