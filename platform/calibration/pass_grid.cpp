#include "platform/calibration/pass_grid.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>

namespace muster {

namespace {

constexpr double pi = 3.14159265358979323846;
constexpr std::size_t fewest_moments = 20, most_moments = 4'096;  // moments
constexpr double widest = 3'600.0;                                // seconds
constexpr double fewest_passes = 20.0;                            // from the first to the last moment
constexpr double concentrated = 0.9;  // mean resultant length, and share, of moments on a grid

// Different moments, evenly chosen where they are many.
std::vector<double> chosen(std::vector<double> moments) {
  std::sort(moments.begin(), moments.end());
  moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
  if (moments.size() <= most_moments) return moments;
  std::vector<double> few;
  for (std::size_t n = 0; n < most_moments; ++n) few.push_back(moments[n * moments.size() / most_moments]);
  return few;
}

// The mean of the moments as unit vectors on a circle of that circumference: of length 1 where all lie on one grid.
std::complex<double> mean_direction(const std::vector<double>& moments, double interval) {
  std::complex<double> sum;
  for (const double t : moments) sum += std::polar(1.0, 2.0 * pi * std::fmod(t, interval) / interval);
  return sum / static_cast<double>(moments.size());
}

double share_near(const std::vector<double>& moments, double interval, double phase) {
  const double second = std::min(1.0, interval / 4.0);
  const auto near = std::count_if(moments.begin(), moments.end(),
                                  [&](double t) { return std::abs(std::remainder(t - phase, interval)) <= second; });
  return static_cast<double>(near) / static_cast<double>(moments.size());
}

// Starts that pass over an earlier job, longer after the arrival and after any completion than a scheduler takes to see
// these.
std::vector<double> backfilled_starts(const logged_past& past) {
  constexpr double reaction = 3.0;  // seconds
  std::vector<double> ends, starts;
  for (const logged_job& job : past.jobs)
    if (job.waited) ends.push_back(job.end());
  std::sort(ends.begin(), ends.end());
  double latest = 0.0;  // start of the jobs that arrived before
  for (const logged_job& job : past.jobs) {
    if (!job.waited) continue;
    const auto after = std::upper_bound(ends.begin(), ends.end(), job.start());
    const bool freed = after != ends.begin() && job.start() - *(after - 1) <= reaction;
    if (latest > job.start() && *job.waited > reaction && !freed) starts.push_back(job.start());
    latest = std::max(latest, job.start());
  }
  return starts;
}

// Times between moments, those of the same second and the longest ones left out.
std::vector<double> times_between(std::vector<double> moments) {
  constexpr double same = 2.0;
  std::sort(moments.begin(), moments.end());
  std::vector<double> times;
  for (std::size_t n = 1; n < moments.size(); ++n)
    if (const double time = moments[n] - moments[n - 1]; time > same && time < widest) times.push_back(time);
  if (times.size() > most_moments) times.resize(most_moments);
  return times;
}

}  // namespace

// The test for a direction by the mean resultant length: K. V. Mardia and P. E. Jupp, Directional Statistics, 2000.
pass_grid find_grid(const logged_past& past) {
  std::vector<double> starts, arrivals;
  for (const logged_job& job : past.jobs) {
    arrivals.push_back(job.submit);
    if (job.waited && *job.waited > 0.0) starts.push_back(job.start());
  }
  starts = chosen(std::move(starts));
  arrivals = chosen(std::move(arrivals));
  pass_grid grid;
  grid.starts = starts.size();
  if (starts.size() < fewest_moments) return grid;
  const double span = (starts.back() - starts.front()) / fewest_passes;
  for (int interval = static_cast<int>(std::min(widest, span)); interval >= 2 && !grid.interval; --interval) {
    const std::complex<double> mean = mean_direction(starts, interval);
    if (std::abs(mean) < concentrated) continue;
    grid.share = share_near(starts, interval, std::arg(mean) / (2.0 * pi) * interval);
    if (grid.share < concentrated) continue;
    grid.interval = interval;
    grid.of_all_times = std::abs(mean_direction(arrivals, interval)) >= concentrated;
  }
  return grid;
}

pass_grid find_backfill_passes(const logged_past& past) {
  const std::vector<double> times = times_between(backfilled_starts(past));
  pass_grid passes;
  passes.starts = times.size();
  if (times.size() < fewest_moments) return passes;
  for (int interval = static_cast<int>(widest); interval >= 4 && !passes.interval; --interval) {
    passes.share = share_near(times, interval, 0.0);
    if (passes.share >= concentrated) passes.interval = interval;
  }
  if (!passes.interval) return passes;
  std::vector<double> arrivals;
  for (const logged_job& job : past.jobs) arrivals.push_back(job.submit);
  const std::vector<double> between = times_between(std::move(arrivals));
  passes.of_all_times = !between.empty() && share_near(between, *passes.interval, 0.0) >= concentrated;
  return passes;
}

// Cores that are freed some time before a pass are late for it if that time is shorter than what is sought. The
// threshold is the one that the fewest delays contradict; those of two intervals and more have other reasons.
time_before_pass find_time_before_pass(const std::vector<double>& delays, double interval) {
  std::vector<std::pair<double, bool>> before;  // time to the pass after the completion, and whether it was missed
  for (const double delay : delays)
    if (delay < 2.0 * interval) before.emplace_back(std::fmod(delay, interval), delay >= interval);
  std::sort(before.begin(), before.end());
  std::ptrdiff_t wrong = std::count_if(before.begin(), before.end(), [](const auto& b) { return b.second; });
  std::ptrdiff_t fewest_wrong = wrong;
  std::size_t late = 0;  // how many times are below the threshold
  for (std::size_t n = 0; n < before.size(); ++n) {
    wrong += before[n].second ? -1 : 1;
    const bool is_between = n + 1 == before.size() || before[n + 1].first > before[n].first;
    if (is_between && wrong < fewest_wrong) {
      fewest_wrong = wrong;
      late = n + 1;
    }
  }
  time_before_pass found;
  found.high = late < before.size() ? before[late].first : interval;
  if (late == 0) return found;
  found.low = before[late - 1].first;
  found.value = found.high;
  return found;
}

}  // namespace muster
