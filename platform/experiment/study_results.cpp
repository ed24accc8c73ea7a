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
