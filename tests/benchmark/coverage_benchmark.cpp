// How often do 95 % intervals cover the truth in windows of a given length, and how often are they marked? Independent
// experiments of `run.replications` replications through the whole simulator, other ones for each point.
//
// Usage: build/tests/coverage_benchmark SCENARIO EXPERIMENTS LENGTHS REFERENCE [KEY=VALUE ...]
//
// LENGTHS, separated by commas, are those of the measured windows in relaxation times, or in jobs: `20,500jobs`. For
// each point, length and metric of all jobs and of each class there is a line: which share of EXPERIMENTS intervals
// covers the truth with control variates and without, which lies below it (without), which is marked (`short`,
// `growing`, `heavy`), which share of the unmarked ones covers it, and how many these are. The truth is the estimate of
// 20 replications of REFERENCE relaxation times.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "platform/inference/heavy_mean.h"
#include "platform/inference/measured_window.h"
#include "platform/theory/known_answer.h"
#include "platform/theory/stability/relaxation.h"
#include "tests/simulation/replicate.h"

namespace muster {
namespace {

using metric_key = std::pair<std::string, std::string>;

struct tally {
  int intervals = 0, covered = 0, plain_covered = 0, plain_below = 0, marked = 0, covered_unmarked = 0;
};

// Stands for the relaxation time of a queue that all jobs leave at a deadline.
constexpr double jobs_until_deadlines = 100.0;

struct point_coverage {
  std::string label;
  scenario model;
  double relaxation;  ///< in jobs
  std::map<metric_key, double> truth;

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

std::map<metric_key, double> truth_of(point_coverage point, double relaxations) {
  point.set_jobs(relaxations * point.relaxation);
  point.model.run.replications = 20;
  point.model.run.seed += 1'000'000;
  std::map<metric_key, double> truth;
  const measured_point measured(replicate(point.model));
  for (const estimate& e : measured.estimates()) truth[{e.class_name, e.metric}] = e.mean.value_or(0.0);
  for (const estimate& e : known_answer(point.model).values) truth[{e.class_name, e.metric}] = *e.mean;
  return truth;
}

void count(const std::vector<replication_result>& some, const point_coverage& point,
           std::map<metric_key, tally>& found) {
  std::vector<replication_result> plain = some;
  for (replication_result& r : plain) r.controls.clear();
  const measured_point with(some), without(plain);
  const measured_window window(point.model, examine_stability(point.model));
  const bool all_marked = window.is_short(with) || window.is_growing(with);
  for (const estimate& e : with.estimates()) {
    const metric_series* const series = without.find(e.class_name, e.metric);
    const auto truth = point.truth.find({e.class_name, e.metric});
    if (!e.ci_low || truth == point.truth.end()) continue;
    const estimate other = series->to_estimate();
    tally& t = found[truth->first];
    ++t.intervals;
    const bool covers = *e.ci_low <= truth->second && truth->second <= *e.ci_high;
    const bool is_marked = all_marked || window.is_short_for(e) || is_heavy_mean(e, point.model) || e.marks.any();
    t.covered += covers;
    t.plain_covered += *other.ci_low <= truth->second && truth->second <= *other.ci_high;
    t.plain_below += *other.ci_high < truth->second;
    t.marked += is_marked;
    t.covered_unmarked += covers && !is_marked;
  }
}

void examine(point_coverage point, const std::string& length, std::size_t experiments) {
  point.set_window(length);
  const std::size_t n = point.model.run.replications;
  scenario all = point.model;
  all.run.replications = static_cast<std::uint32_t>(n * experiments);
  const std::vector<replication_result> pool = replicate(all);
  std::map<metric_key, tally> found;
  for (auto first = pool.begin(); first != pool.end(); first += static_cast<std::ptrdiff_t>(n))
    count({first, first + static_cast<std::ptrdiff_t>(n)}, point, found);
  const auto percent = [](int part, const tally& of) { return 100.0 * part / of.intervals; };
  for (const auto& [of, t] : found) {
    const int unmarked = t.intervals - t.marked;
    fmt::print("{}; {}; {}; {}; {:.5g}; {:.1f}; {:.1f}; {:.1f}; {:.1f}; {:.1f}; {}\n", point.label, length, of.first,
               of.second, point.truth.at(of), percent(t.covered, t), percent(t.plain_covered, t),
               percent(t.plain_below, t), percent(t.marked, t), 100.0 * t.covered_unmarked / std::max(1, unmarked),
               unmarked);
  }
  std::fflush(stdout);
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
    point.truth = truth_of(point, reference);
    std::istringstream in(lengths);
    for (std::string length; std::getline(in, length, ',');) examine(point, length, experiments);
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
