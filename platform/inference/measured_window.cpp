#include "platform/inference/measured_window.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/metrics/sample.h"
#include "platform/theory/stability/relaxation.h"

namespace muster {

namespace {

// The window that a quantile near the end of a distribution, or its deviation, takes: they are too low in windows that
// are long enough for means. The numbers are measured, as the threshold for means is.
struct far_quantile {
  std::string_view end;  // end of the metric's name
  double relaxations;    // relaxation times that a window must have
  std::uint32_t jobs;    // completions that a window must have
};
constexpr far_quantile far_quantiles[] = {{"_p95", 50.0, 600}, {"_p99", 200.0, 3000}, {"_deviation", 100.0, 600}};

const far_quantile* find_far_quantile(std::string_view metric) {
  for (const far_quantile& q : far_quantiles)
    if (metric.size() > q.end.size() && metric.substr(metric.size() - q.end.size()) == q.end) return &q;
  return nullptr;
}

}  // namespace

measured_window::measured_window(const scenario& model, const stability& limits)
    : jobs_(static_cast<double>(model.run.jobs - model.run.unmeasured())),
      relaxation_(relaxation_in_jobs(model, limits)),
      limit_is_known_(limits.known_by == limit_evidence::exact || limits.known_by == limit_evidence::simulated),
      all_jobs_(model.run.jobs),
      arrival_rate_(model.arrivals.rate),
      relaxation_of_one_waiting_(relaxation_of_queue(model, 1.0)) {}

std::optional<double> measured_window::relaxation(const measured_point& point) const {
  const metric_series* const waits = point.find("all", "waiting_time");
  if (!relaxation_ || limit_is_known_ || !waits) return relaxation_;
  const double waiting = arrival_rate_ * mean_of(waits->values());  // Little's law
  return std::max(*relaxation_, waiting * waiting * relaxation_of_one_waiting_);
}

bool measured_window::is_short(const measured_point& point) const {
  const std::optional<double> time = relaxation(point);
  return time && (jobs_ < fewest * *time || point.correlation_of_parts() > most_correlation);
}

bool measured_window::is_short_for(const estimate& e) const {
  const far_quantile* const q = find_far_quantile(e.metric);
  return relaxation_ && q &&
         (jobs_ < q->relaxations * *relaxation_ || e.jobs < std::uint64_t{q->jobs} * e.replications);
}

std::string measured_window::short_metrics(const std::vector<estimate>& estimates) const {
  std::vector<std::string> names;
  double wanted = 0.0;
  for (const estimate& e : estimates) {
    if (e.class_name != "all" || !is_short_for(e)) continue;
    names.push_back(e.metric);
    const far_quantile& q = *find_far_quantile(e.metric);
    wanted = std::max({wanted, q.relaxations * *relaxation_, static_cast<double>(q.jobs)});
  }
  if (names.empty()) return {};
  return fmt::format("{}: it has {:.0f} jobs, and {:.0f} are needed", fmt::join(names, ", "), jobs_, wanted);
}

std::uint64_t measured_window::wanted_jobs(double relaxation) const {
  const double wanted = static_cast<double>(all_jobs_) * std::max(2.0, fewest * relaxation / jobs_);
  const double digits = std::pow(10.0, std::floor(std::log10(wanted)) - 1.0);
  return static_cast<std::uint64_t>(std::ceil(wanted / digits) * digits);
}

std::string measured_window::in_words() const { return in_words(*relaxation_); }

std::string measured_window::in_words(const measured_point& point) const { return in_words(*relaxation(point)); }

std::string measured_window::in_words(double relaxation) const {
  const bool few = jobs_ < fewest * relaxation;
  const std::string reason =
      few ? fmt::format(
                "{:.0f} jobs are {:.2g} of the relaxation times of its queue {} ({:.0f} jobs each), and {:.0f} "
                "are needed",
                jobs_, jobs_ / relaxation, relaxation > *relaxation_ ? "as it was seen" : "at this load", relaxation,
                fewest)
          : "successive parts of it depend on each other";
  return fmt::format(
      "the measured window is short: {}; its estimates are not those of the steady state. run.jobs = {} would {}",
      reason, wanted_jobs(relaxation), few && limit_is_known_ ? "do" : "be better");
}

bool measured_window::is_growing(const measured_point& point) const {
  if (!relaxation_) return false;
  const metric_series* const throughput = point.find("all", "throughput");
  const std::vector<double> rates = throughput ? throughput->values() : std::vector<double>{};
  if (rates.size() < 2) return false;
  const auto n = static_cast<double>(rates.size());
  return mean_of(rates) + students_quantile(n - 1.0, 1.0 - growth_error) * std::sqrt(variance_of(rates) / n) <
         arrival_rate_;
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
