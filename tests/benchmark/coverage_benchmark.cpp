// How often do 95 % intervals cover the truth in windows of a given length, and how often are they marked? Independent
// experiments of `run.replications` replications through the whole simulator, other ones for each point.
//
// Usage: build/tests/coverage_benchmark SCENARIO EXPERIMENTS LENGTHS REFERENCE [KEY=VALUE ...]
//
// LENGTHS, separated by commas, are those of the measured windows in relaxation times, or in jobs: `20,500jobs`. Each
// may have a number of experiments of its own: `20,500jobs*200`. For each point, length and metric of all jobs and of
// each class there is a line: which share of the intervals covers the truth with control variates and without, which
// lies below it (without), which is marked (`short`, `growing`, `heavy`), which share of the unmarked ones covers it,
// and how many these are. The truth is the estimate of 20 replications of REFERENCE relaxation times; where that is 0,
// of all replications of the last length together, which must be long. That truth has an error of its own, and holds
// the experiments of its length: intervals are widened or narrowed by as much as differences from it scatter more or
// less than those from the truth. The truth of a metric that takes whole numbers is the nearest one, without an error.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "platform/cautions/measured_window.h"
#include "platform/cautions/point_cautions.h"
#include "platform/metrics/metric.h"
#include "platform/theory/stability/relaxation.h"
#include "platform/theory/theory.h"
#include "tests/simulation/replicate.h"

namespace muster {
namespace {

using metric_key = std::pair<std::string, std::string>;

struct tally {
  int intervals = 0, covered = 0, plain_covered = 0, plain_below = 0, marked = 0, covered_unmarked = 0;
};

// Stands for the relaxation time of a queue that all jobs leave at a deadline.
constexpr double jobs_until_deadlines = 100.0;

struct known_value {
  double value = 0.0;
  bool exact = false;  ///< by theory, or a whole number
};

struct point_coverage {
  std::string label;
  scenario model;
  double relaxation;  ///< in jobs
  std::map<metric_key, known_value> truth{};
  double widening = 1.0;  ///< factor of the intervals where the truth is simulated

  /// @param length in relaxation times, or in jobs where these are written behind it
  void set_window(const std::string& length) {
    std::size_t digits = 0;
    const double value = std::stod(length, &digits);
    set_jobs(length.substr(digits) == "jobs" ? value : value * relaxation);
  }
  void set_jobs(double measured) {
    model.run.jobs = static_cast<std::uint64_t>(std::ceil(measured / (1.0 - model.run.warm_up)));
  }
};

// Without what pages draw: each new process copies the results of all that have ended.
std::vector<replication_result> replicate_measurements(const scenario& model) {
  return replicate(model, 2, {}, [](replication_result& r) {
    r.pictures = {};
    r.presence.clear();
  });
}

std::map<metric_key, known_value> truth_of(const scenario& model, const std::vector<replication_result>& replications) {
  std::map<metric_key, known_value> truth;
  const measured_point measured(replications);
  for (const estimate& e : measured.estimates()) {
    const metric_entry* const entry = find_metric(e.metric);
    const double value = e.mean.value_or(0.0);
    const bool whole = entry && entry->whole_numbers;
    truth[{e.class_name, e.metric}] = {whole ? std::round(value) : value, whole};
  }
  for (const estimate& e : known_answer(model).values) truth[{e.class_name, e.metric}] = {*e.mean, true};
  return truth;
}

std::map<metric_key, known_value> truth_of(point_coverage point, double relaxations) {
  point.set_jobs(relaxations * point.relaxation);
  point.model.run.replications = 20;
  point.model.run.seed += 5'000'000;
  return truth_of(point.model, replicate_measurements(point.model));
}

bool covers(const estimate& e, const known_value& truth, double widening) {
  const double scale = truth.exact ? 1.0 : widening;
  return *e.mean - scale * (*e.mean - *e.ci_low) <= truth.value &&
         truth.value <= *e.mean + scale * (*e.ci_high - *e.mean);
}

void count(const std::vector<replication_result>& some, const point_coverage& point,
           std::map<metric_key, tally>& found) {
  std::vector<replication_result> plain = some;
  for (replication_result& r : plain) r.controls.clear();
  const measured_point with(some), without(plain);
  const measured_window window = measured_window(point.model, examine_stability(point.model)).seen_in(with);
  const bool all_marked = window.is_short() || window.is_growing(with);
  for (const estimate& e : with.estimates()) {
    const metric_series* const series = without.find(e.class_name, e.metric);
    const auto truth = point.truth.find({e.class_name, e.metric});
    if (!e.ci_low || truth == point.truth.end()) continue;
    const estimate other = series->to_estimate();
    tally& t = found[truth->first];
    ++t.intervals;
    const bool is_covered = covers(e, truth->second, point.widening);
    const bool is_marked = all_marked || window.is_short_for(e) || is_heavy_mean(e, point.model) || e.marks.any();
    t.covered += is_covered;
    t.plain_covered += covers(other, truth->second, point.widening);
    t.plain_below += *other.ci_high < truth->second.value;
    t.marked += is_marked;
    t.covered_unmarked += is_covered && !is_marked;
  }
}

/// Windows of one length, and all replications of its experiments.
struct window_sample {
  point_coverage point;
  std::string length;
  std::size_t experiments;
  std::vector<replication_result> pool{};
};

// @param length maybe with a number of experiments of its own
window_sample windows_of(point_coverage point, const std::string& length, std::size_t experiments) {
  const std::size_t star = length.find('*');
  if (star != std::string::npos) experiments = std::stoul(length.substr(star + 1));
  point.set_window(length.substr(0, star));
  return {point, length.substr(0, star), experiments};
}

std::vector<replication_result> replications_of(const window_sample& of_length) {
  scenario all = of_length.point.model;
  all.run.replications = static_cast<std::uint32_t>(all.run.replications * of_length.experiments);
  return replicate_measurements(all);
}

// Without a pool the experiments run one after the other, and nothing is kept of them but the tally.
std::map<metric_key, tally> count_experiments(const window_sample& of_length) {
  const point_coverage& point = of_length.point;
  const auto n = static_cast<std::ptrdiff_t>(point.model.run.replications);
  std::map<metric_key, tally> found;
  for (auto first = of_length.pool.begin(); first != of_length.pool.end(); first += n)
    count({first, first + n}, point, found);
  for (std::size_t e = 0; of_length.pool.empty() && e < of_length.experiments; ++e) {
    scenario model = point.model;
    model.run.seed += 2'000'000 + e;
    count(replicate_measurements(model), point, found);
  }
  return found;
}

void print_coverage(const window_sample& of_length) {
  const point_coverage& point = of_length.point;
  const std::map<metric_key, tally> found = count_experiments(of_length);
  const auto percent = [](int part, const tally& of) { return 100.0 * part / of.intervals; };
  for (const auto& [of, t] : found) {
    const int unmarked = t.intervals - t.marked;
    fmt::print("{}; {}; {}; {}; {:.5g}; {:.1f}; {:.1f}; {:.1f}; {:.1f}; {:.1f}; {}\n", point.label, of_length.length,
               of.first, of.second, point.truth.at(of).value, percent(t.covered, t), percent(t.plain_covered, t),
               percent(t.plain_below, t), percent(t.marked, t), 100.0 * t.covered_unmarked / std::max(1, unmarked),
               unmarked);
  }
  std::fflush(stdout);
}

// How much more differences from the mean of all windows of the last length scatter than those from the truth.
double widening_of(const window_sample& of_length, const window_sample& last) {
  const double experiment =
      static_cast<double>(of_length.point.model.run.jobs) * of_length.point.model.run.replications;
  const double all = static_cast<double>(last.point.model.run.jobs) * static_cast<double>(last.pool.size());
  return std::sqrt(&of_length == &last ? 1.0 - experiment / all : 1.0 + experiment / all);
}

void examine(const study& s, std::size_t experiments, const std::string& lengths, double reference) {
  fmt::print("point; window; class; metric; truth; covered; without controls; below; marked; unmarked; of\n");
  for (std::size_t p = 0; p < s.points.size(); ++p) {
    scenario model = s.points[p].model;
    model.run.precision.reset();
    model.run.seed += 1000 * p;
    const stability limits = examine_stability(model);
    if (limits.answer == stability::verdict::unstable) continue;
    point_coverage point{s.label(p), model, relaxation_in_jobs(model, limits).value_or(jobs_until_deadlines), {}};
    if (point.relaxation == 0.0) continue;
    std::vector<window_sample> samples;
    std::istringstream in(lengths);
    for (std::string length; std::getline(in, length, ',');) samples.push_back(windows_of(point, length, experiments));
    for (window_sample& of_length : samples)
      if (reference == 0.0) of_length.pool = replications_of(of_length);
    const auto truth = reference > 0.0 ? truth_of(point, reference) : truth_of(model, samples.back().pool);
    for (window_sample& of_length : samples) {
      of_length.point.truth = truth;
      if (reference == 0.0) of_length.point.widening = widening_of(of_length, samples.back());
      print_coverage(of_length);
    }
  }
}

}  // namespace
}  // namespace muster

int sc_main(int, char**) { return 1; }

int main(int count, char** words) {
  if (count < 5) {
    std::fputs("usage: coverage_benchmark SCENARIO EXPERIMENTS LENGTHS REFERENCE [KEY=VALUE ...]\n", stderr);
    return 2;
  }
  std::ifstream file(words[1]);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  muster::examine(muster::read_study(text, words[1], {words + 5, words + count}), std::stoul(words[2]), words[3],
                  std::stod(words[4]));
}
