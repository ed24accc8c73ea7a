#include "platform/experiment/study_results.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "platform/cautions/point_cautions.h"
#include "platform/experiment/interrupt_guard.h"
#include "platform/inference/judge.h"
#include "platform/inference/paired_differences.h"
#include "platform/model/study_families.h"
#include "platform/store/results_csv.h"

namespace muster {

namespace {

std::optional<std::string> note_on_precision(const study& s, std::size_t point, const replication_plan& plan) {
  const run_spec& run = s.points[point].model.run;
  const precision_spec& wanted = *run.precision;
  const bool batches = run.batch_means;
  const sequential_rule::finding& last = plan.last_look(point);
  const std::uint32_t n = plan.counted(point);
  if (plan.rule(point).hopeless())
    return fmt::format("{}: is unstable, so that no precision can be reached; its {} stand as they are", s.label(point),
                       batches ? fmt::format("{} jobs", run.jobs) : fmt::format("{} replications", n));
  if (last.overloaded) return fmt::format("{}: is overloaded, so that no precision can be reached", s.label(point));
  if (last.reached || last.is_short) return std::nullopt;  // add_notes() says so of what is short
  std::string text;
  for (std::size_t target = 0; target < last.intervals.size(); ++target) {
    const sequential_rule::interval& found = last.intervals[target];
    const precision_target& aim = wanted.targets[target];
    if (found.reached) continue;
    const std::string width = found.half_width ? fmt::format("{:.3g} % of it", *found.half_width * 100.0) : "not known";
    const bool first = text.empty();
    text += fmt::format("{} of the mean {} of '{}' is {}", first ? ": the half-width" : "; that", aim.metric,
                        aim.class_name, width);
    if (first)
      text += batches ? fmt::format(" after {} jobs, which is run.jobs times run.most_replications",
                                    run.jobs * wanted.most_replications)
                      : fmt::format(" after {} replications, which is run.most_replications", n);
    text += fmt::format("; {:.3g} % was wanted", aim.half_width * 100.0);
  }
  return s.label(point) + text;
}

/// What the replications of a point have remarked: by text, in how many of them it was remarked of each class.
class gathered_remarks {
 public:
  /// @param wanted replications of the point, of which those that are given are the first to be there
  gathered_remarks(const std::vector<replication_result>& replications, std::size_t wanted)
      : replications_(std::max(wanted, replications.size())) {
    for (const replication_result& r : replications)
      for (const remark& said : r.notes) ++times_[said.text][said.class_name];
  }

  std::vector<std::string> each() const {
    std::vector<std::string> all;
    for (const auto& [text, classes] : times_)
      for (const auto& [name, times] : classes)
        all.push_back(
            fmt::format("{} (in {} of {} replications)", remark{text, name}.in_words(), times, replications_));
    return all;
  }

  std::string in_one_line() const {
    std::string line;
    for (const auto& [text, classes] : times_) {
      std::size_t most = 0;
      for (const auto& [name, times] : classes) most = std::max(most, times);
      line += fmt::format("{}{} ({}in {}{} of {} replications)", line.empty() ? "" : "; ", text, in_words(classes),
                          classes.size() > 1 ? "up to " : "", most, replications_);
    }
    return line;
  }

 private:
  using times_by_class = std::map<std::string, std::size_t>;

  static std::string in_words(const times_by_class& classes) {
    constexpr std::size_t named = 4;
    if (classes.count("") > 0) return "";
    std::string names;
    std::size_t n = 0;
    for (const auto& [name, times] : classes) {
      if (n++ == named) return fmt::format("classes {} and {} more, ", names, classes.size() - named);
      names += fmt::format("{}'{}'", names.empty() ? "" : ", ", name);
    }
    return fmt::format("{} {}, ", classes.size() == 1 ? "class" : "classes", names);
  }

  std::size_t replications_;
  std::map<std::string, times_by_class> times_;
};

// Adds what is to be known of a point: what its replications have remarked, whether the warm-up, as a pilot has found
// it, has settled, and a precision that was not reached.
void add_notes(study_notes& notes, const study& s, std::size_t point, const replication_plan& plan,
               const std::vector<replication_result>& replications, const std::optional<found_warm_up>& warm_up) {
  const run_spec& run = s.points[point].model.run;
  const gathered_remarks remarks(replications, plan.is_finished(point) ? replications.size() : run.replications);
  for (const std::string& text : remarks.each()) notes.full.push_back(fmt::format("{}: {}", s.label(point), text));
  if (const std::string line = remarks.in_one_line(); !line.empty())
    notes.brief.push_back(fmt::format("{}: {}", s.label(point), line));
  const auto add = [&](const std::string& text) {
    notes.full.push_back(text);
    notes.brief.push_back(text);
  };
  if (warm_up && !warm_up->settled)
    add(fmt::format(
        "{}: MSER-5 sees no steady state in {} jobs; the first half of each replication is taken for the warm-up",
        s.label(point), run.jobs));
  if (plan.is_finished(point) && run.precision)
    if (const auto note = note_on_precision(s, point, plan)) add(*note);
}

template <class T>
bool any_in(const std::vector<std::vector<T>>& by_point) {
  return std::any_of(by_point.begin(), by_point.end(),
                     [](const std::vector<T>& of_point) { return !of_point.empty(); });
}

/// Goes through the points, then through what can only be said of several of them.
class gathering {
 public:
  gathering(const study& s, const std::vector<stability>& known, result_store& store, const replication_plan& plan)
      : study_(s), stability_(known), store_(store), plan_(plan) {}

  study_results all() {
    const std::size_t points = study_.points.size();
    found_.estimates.measured.resize(points);
    found_.estimates.known.resize(points);
    found_.estimates.responses.resize(points);
    found_.known.resize(points);
    found_.presence.resize(points);
    for (const auto& families : {families_of_sizes(study_), families_of_policies(study_)})
      for (const std::vector<std::size_t>& family : families) compared_.insert(family.begin(), family.end());
    for (std::size_t p = 0; p < points; ++p) add_point(p);
    for (const std::string& text : first_sentences(short_notes_)) found_.notes.brief.push_back(text);
    compare_sizes();
    compare_policies();
    for (std::size_t p = 0; p < points; ++p) mark(p);
    found_.estimates.best = judge(study_, found_.estimates);
    return std::move(found_);
  }

 private:
  void add_point(std::size_t p) {
    std::vector<replication_result> replications = store_.replications(p, plan_.counted(p));
    const std::optional<found_warm_up> warm_up = store_.warm_up(p);
    add_notes(found_.notes, study_, p, plan_, replications, warm_up);
    if (!plan_.is_finished(p)) return;
    std::vector<estimate>& estimates = found_.estimates.measured[p];
    const measured_point& point = measured_.emplace(p, std::move(replications)).first->second;
    estimates = point.estimates();
    check_window(p, point, warm_up);
    for (const estimate& e : estimates)
      if (e.variance_factor > 1.0) found_.variance.push_back({p, e.class_name, e.metric, e.variance_factor});
    if (warm_up)
      estimates.push_back(
          {"all", "warm_up_jobs", static_cast<double>(warm_up->jobs), {}, {}, 1, study_.points[p].model.run.jobs});
    if (!interrupt_guard::seen()) found_.known[p] = known_answer(study_.points[p].model);
    found_.estimates.known[p] = found_.known[p].values;
    found_.presence[p] = store_.presence(p);
    if (p < most_drawn_points)
      found_.estimates.responses[p] = quantiles_of(store_.responses(p, plan_.counted(p)), study_.points[p].model.unit);
    add_precision(p);
    if (compared_.count(p) == 0) measured_.erase(p);
  }

  void check_window(std::size_t p, const measured_point& found, const std::optional<found_warm_up>& warm_up) {
    scenario model = study_.points[p].model;
    if (warm_up) model.run.warm_up_jobs = warm_up->jobs;
    const point_cautions& cautions = cautions_.try_emplace(p, model, stability_[p], found).first->second;
    const measured_window& window = cautions.window();
    if (cautions.is_growing()) {
      add_note(fmt::format("{}: {}", study_.label(p), window.growth_in_words(found)));
    } else if (cautions.is_short()) {
      const std::string text = fmt::format("{}: {}", study_.label(p), window.in_words());
      found_.notes.full.push_back(text);
      short_notes_.push_back(text);
    } else if (const std::string of = window.short_metrics(found_.estimates.measured[p]); !of.empty()) {
      found_.notes.full.push_back(fmt::format("{}: the measured window is short for {}", study_.label(p), of));
    }
  }

  void add_note(const std::string& text) {
    found_.notes.full.push_back(text);
    found_.notes.brief.push_back(text);
  }

  void add_precision(std::size_t p) {
    if (!plan_.rule(p).wants_precision()) return;
    const sequential_rule::finding& last = plan_.last_look(p);
    for (std::size_t target = 0; target < last.intervals.size(); ++target)
      found_.precision.push_back(
          {p, target, plan_.counted(p), last.intervals[target].half_width, last.intervals[target].reached});
    if (!last.reached) found_.imprecise.push_back(p);
  }

  void compare_sizes() {
    for (const std::vector<std::size_t>& points : families_of_sizes(study_)) {
      if (!std::all_of(points.begin(), points.end(), [&](std::size_t p) { return plan_.is_finished(p); })) continue;
      std::vector<const measured_point*> measured;
      measured.reserve(points.size());
      for (const std::size_t p : points) measured.push_back(&measured_.at(p));
      const std::optional<estimate> found = sensitivity(measured);
      for (const std::size_t p : points)
        if (found) found_.estimates.measured[p].push_back(*found);
    }
  }

  void compare_policies() {
    for (std::vector<std::size_t> points : families_of_policies(study_)) {
      points.erase(std::remove_if(points.begin(), points.end(), [&](std::size_t p) { return !plan_.is_finished(p); }),
                   points.end());
      for (const auto& [a, b] : pairs_within(points))
        found_.estimates.differences.push_back({a, b, differences(measured_.at(a), measured_.at(b))});
    }
  }

  // Marks the estimates of a point with what is known of the point as a whole.
  void mark(std::size_t p) {
    if (!plan_.is_finished(p)) return;
    const auto mark_all = [&](std::vector<estimate>& estimates) {
      cautions_.at(p).mark(estimates, study_.points[p].model);
      for (estimate& e : estimates)
        if (misses_precision(e, p)) e.marks.add(caution::imprecise);
    };
    mark_all(found_.estimates.measured[p]);
    for (paired_difference& pair : found_.estimates.differences)
      if (pair.a == p || pair.b == p) mark_all(pair.differences);
  }

  bool misses_precision(const estimate& e, std::size_t p) const {
    const auto& intervals = plan_.last_look(p).intervals;
    for (std::size_t target = 0; target < intervals.size(); ++target) {
      const precision_target& wanted = plan_.rule(p).wanted().targets[target];
      if (!intervals[target].reached && e.metric == wanted.metric && e.class_name == wanted.class_name) return true;
    }
    return false;
  }

  const study& study_;
  const std::vector<stability>& stability_;
  result_store& store_;
  const replication_plan& plan_;
  study_results found_;
  std::set<std::size_t> compared_;                  // points that are compared with others
  std::map<std::size_t, measured_point> measured_;  // finished ones of them: their replications are read once
  std::map<std::size_t, point_cautions> cautions_;  // of finished ones
  std::vector<std::string> short_notes_;            // on points whose windows are too short
};

}  // namespace

study_results results_of(const study& s, const std::vector<stability>& known, result_store& store,
                         const replication_plan& plan) {
  return gathering(s, known, store, plan).all();
}

void write_results(const study& s, const study_results& results, result_store& store,
                   const result_directory& directory) {
  const study_estimates& all = results.estimates;
  store.set_estimates(all);
  directory.write("results.csv", results_csv(s, all.measured));
  if (any_in(all.known)) directory.write("theory.csv", results_csv(s, all.known));
  if (!all.differences.empty()) directory.write("differences.csv", differences_csv(s, all.differences));
  if (any_in(results.presence)) directory.write("jobs_in_system.csv", presence_csv(s, results.presence));
}

}  // namespace muster
