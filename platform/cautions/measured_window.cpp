#include "platform/cautions/measured_window.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/metrics/sample.h"
#include "platform/theory/stability/relaxation.h"

namespace muster {

namespace {

// The window that a quantile near the end of a distribution, its deviation, or an index of several means takes: their
// intervals cover too seldom in windows that are long enough for means. The numbers are measured, as the threshold for
// means is.
struct demanding_metric {
  std::string_view end;               // end of the metric's name
  double relaxations;                 // relaxation times that a window must have
  std::uint32_t jobs;                 // completions that a window must have
  std::uint32_t jobs_with_deadlines;  // the same where all jobs leave at a deadline, and little depends on the past
};
constexpr demanding_metric demanding_metrics[] = {{"_p95", 50.0, 600, 60},
                                                  {"_p99", 200.0, 3000, 300},
                                                  {"_deviation", 100.0, 600, 0},
                                                  {"fairness_jain", 50.0, 600, 0}};

const demanding_metric* find_demanding(std::string_view metric) {
  for (const demanding_metric& q : demanding_metrics)
    if (metric.size() >= q.end.size() && metric.substr(metric.size() - q.end.size()) == q.end) return &q;
  return nullptr;
}

// The mean waiting time of a class at the upper end of its interval, without control variates, which explain little of
// a queue that the load does not tell. The mean itself would leave those windows unmarked that have a short queue by
// chance, and whose estimates are too low. Of fewer than ten replications it is the mean: the end of their interval
// tells of their number more than of the queue.
double highest_mean_wait(const measured_point& point, const std::string& class_name) {
  const metric_series* const waits = point.find(class_name, "waiting_time");
  if (!waits) return 0.0;
  replicated_values measured;
  for (std::size_t r = 0; r < waits->measured.size(); ++r)
    if (const measurement* const m = waits->measured[r]; m && m->has_value) measured.add(r, m->value, m->parts);
  const estimate e = estimate_of(class_name, waits->metric, measured, 0);
  constexpr std::uint32_t fewest = 10;
  return e.ci_high && e.replications >= fewest ? *e.ci_high : e.mean.value_or(0.0);
}

// The mean waiting time, at the upper end of its interval, of the class that waits longest.
double longest_wait(const measured_point& point) {
  double longest = 0.0;
  for (const metric_series& s : point.series())
    if (s.metric == "waiting_time") longest = std::max(longest, highest_mean_wait(point, s.class_name));
  return longest;
}

}  // namespace

measured_window::measured_window(const scenario& model, const stability& limits)
    : jobs_(static_cast<double>(model.run.jobs - model.run.unmeasured() - model.run.unmeasured_at_end())),
      relaxation_(relaxation_in_jobs(model, limits)),
      all_jobs_expire_(!model.arrivals.finite() && all_jobs_expire(model)),
      limit_is_known_(limits.known_by == limit_evidence::exact || limits.known_by == limit_evidence::simulated),
      all_jobs_(model.run.jobs),
      arrival_rate_(model.arrivals.rate),
      jobs_of_cycle_(model.arrivals.jobs_of_cycle()),
      relaxation_of_one_waiting_(relaxation_of_queue(model, 1.0)),
      relaxation_of_turns_(limits.rule == stability_rule::best_mix_in_turn ? relaxation_of_turns(limits, 1.0) : 0.0) {
  if (relaxation_) relaxation_ = std::max(*relaxation_, jobs_of_cycle_);
}

measured_window measured_window::seen_in(const measured_point& point) const {
  measured_window seen = *this;
  seen.correlation_ = point.correlation_of_parts();
  double relaxation = arrival_rate_ * longest_wait(point) * relaxation_of_turns_;
  if (!limit_is_known_) {
    const double waiting = arrival_rate_ * highest_mean_wait(point, "all");  // Little's law
    relaxation = std::max(relaxation, waiting * waiting * relaxation_of_one_waiting_);
  }
  seen.was_seen_ = relaxation_ && relaxation > *relaxation_;
  if (seen.was_seen_) seen.relaxation_ = relaxation;
  return seen;
}

bool measured_window::is_short() const {
  return relaxation_ && (jobs_ < fewest * *relaxation_ || correlation_ > most_correlation);
}

bool measured_window::is_short_for(const estimate& e) const {
  const demanding_metric* const q = find_demanding(e.metric);
  if (!q) return false;
  const auto has_fewer_than = [&](std::uint64_t jobs) { return e.jobs < jobs * e.replications; };
  if (all_jobs_expire_) return has_fewer_than(q->jobs_with_deadlines);
  return relaxation_ && (jobs_ < q->relaxations * *relaxation_ || has_fewer_than(q->jobs));
}

std::string measured_window::short_metrics(const std::vector<estimate>& estimates) const {
  std::vector<std::string> names;
  double wanted = 0.0;
  for (const estimate& e : estimates) {
    if (e.class_name != "all" || !is_short_for(e)) continue;
    names.push_back(e.metric);
    const demanding_metric& q = *find_demanding(e.metric);
    wanted = std::max(wanted, static_cast<double>(all_jobs_expire_ ? q.jobs_with_deadlines : q.jobs));
    if (relaxation_) wanted = std::max(wanted, q.relaxations * *relaxation_);
  }
  if (names.empty()) return {};
  return fmt::format("{}: it has {:.0f} jobs, and {:.0f} are needed", fmt::join(names, ", "), jobs_, wanted);
}

std::uint64_t measured_window::wanted_jobs() const {
  const double wanted = static_cast<double>(all_jobs_) * std::max(2.0, fewest * *relaxation_ / std::max(1.0, jobs_));
  const double digits = std::pow(10.0, std::floor(std::log10(wanted)) - 1.0);
  return static_cast<std::uint64_t>(std::ceil(wanted / digits) * digits);
}

std::string measured_window::in_words() const {
  const bool few = jobs_ < fewest * *relaxation_;
  const std::string_view units = was_seen_                        ? "relaxation times of its queue as it was seen"
                                 : *relaxation_ == jobs_of_cycle_ ? "cycles of its rate of arrivals"
                                                                  : "relaxation times of its queue at this load";
  const std::string reason =
      few ? fmt::format("{:.0f} jobs are {:.2g} of the {} ({:.0f} jobs each), and {:.0f} are needed", jobs_,
                        jobs_ / *relaxation_, units, *relaxation_, fewest)
          : "successive parts of it depend on each other";
  return fmt::format(
      "the measured window is short: {}; its estimates are not those of the steady state. run.jobs = {} would {}",
      reason, wanted_jobs(), few && limit_is_known_ && !was_seen_ ? "do" : "be better");
}

bool measured_window::is_growing(const measured_point& point) const {
  if (!relaxation_) return false;
  const metric_series* const throughput = point.find("all", "throughput");
  const std::vector<double> rates = throughput ? throughput->values() : std::vector<double>{};
  if (rates.size() < 2) return false;
  const auto n = static_cast<double>(rates.size());
  // Windows that end within a cycle may have all of it without a job.
  const double least = arrival_rate_ * std::max(0.0, 1.0 - jobs_of_cycle_ / jobs_);
  return mean_of(rates) + students_quantile(n - 1.0, 1.0 - growth_error) * std::sqrt(variance_of(rates) / n) < least;
}

std::string measured_window::growth_in_words(const measured_point& point) const {
  return fmt::format(
      "fewer jobs leave than come, {:.4g} of {:.4g} per unit of time: the queue grows through the measured windows, "
      "and their estimates are those of no steady state; muster check simulates whether there is one",
      mean_of(point.find("all", "throughput")->values()), arrival_rate_);
}

std::vector<std::string> first_sentences(const std::vector<std::string>& of_points) {
  constexpr std::size_t most = 3;
  if (of_points.size() <= most) return of_points;
  std::vector<std::string> first(of_points.begin(), of_points.begin() + most - 1);
  first.push_back(fmt::format("the measured windows of {} more are short", of_points.size() - first.size()));
  return first;
}

}  // namespace muster
